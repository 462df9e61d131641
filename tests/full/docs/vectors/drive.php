<?php

require 'pay.php';
foreach (array_slice($argv, 1) as $folder) {
    $read = fn ($name) => file_get_contents("$folder/$name");
    $digest = digest($read('body'));
    $signed = [];
    foreach (explode("\n", rtrim($read('signed'), "\n")) as $line) {
        [$name, $value] = explode(': ', $line, 2);
        $signed[$name] = $name === 'digest' ? $digest : $value;
    }
    echo implode("\n", [$digest, ...array_values(prove($signed, $read('mine.cert.pem'), $read('mine.key.pem'), $read('key-id')))]), "\n";
}
