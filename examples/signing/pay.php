<?php

function digest(string $body): string
{
    return 'SHA-256=' . base64_encode(hash('sha256', $body, true));
}

/** The headers that prove these headers, which are signed in their order. */
function prove(array $signed, string $certificate, string $key, string $keyId): array
{
    $lines = array_map(fn ($name, $value) => "$name: " . trim($value), array_keys($signed), $signed);
    openssl_sign(implode("\n", $lines), $signature, $key, OPENSSL_ALGO_SHA256);
    return [
        'tpp-signature-certificate' => preg_replace('/-----[^-]+-----|\s/', '', $certificate),
        'signature' => sprintf('keyId="%s",algorithm="rsa-sha256",headers="%s",signature="%s"',
            $keyId, implode(' ', array_keys($signed)), base64_encode($signature)),
    ];
}

function pay(string $bank, string $certificate, string $key, string $keyId): void
{
    $body = json_encode([
        'instructedAmount' => ['amount' => '250.00', 'currency' => 'NOK'],
        'debtorAccount' => ['bban' => '09232911044', 'currency' => 'NOK'],
        'creditorAccount' => ['bban' => '90491105991', 'currency' => 'NOK'],
        'creditorName' => 'Company 123',
        'remittanceInformationUnstructured' => 'Kredittrente',
    ]);
    $signed = [
        'date' => gmdate('D, d M Y H:i:s \G\M\T'),
        'digest' => digest($body),
        'x-request-id' => preg_replace('/(.{8})(.{4}).(.{3}).(.{3})(.{12})/', '$1-$2-4$3-8$4-$5', bin2hex(random_bytes(16))),
        'tpp-redirect-uri' => "$bank/sandbox/landed",
    ];
    $headers = [
        ...$signed,
        ...prove($signed, $certificate, $key, $keyId),
        'content-type' => 'application/json',
        'accept' => 'application/json',
        'psu-ip-address' => '127.0.0.1',
        'tpp-session-id' => 'mine',
        'x-psu-identity' => '13039319955',
        'psu-context' => 'PRIVATE',
    ];
    $target = '/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true';
    $answer = fopen($bank . $target, 'r', false, stream_context_create([
        'http' => [
            'method' => 'POST',
            'header' => array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers),
            'content' => $body,
            'ignore_errors' => true,
        ],
    ]));
    $status = stream_get_meta_data($answer)['wrapper_data'][0];
    echo stream_get_contents($answer), ' ', explode(' ', $status)[1], "\n";
}

if (get_included_files()[0] === __FILE__) {
    pay(getenv('BANK'), file_get_contents('mine.cert.pem'), file_get_contents('mine.key.pem'), getenv('KEY_ID'));
}
