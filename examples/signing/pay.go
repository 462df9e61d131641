package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const target = "/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true"
const body = `{"instructedAmount":{"amount":"250.00","currency":"NOK"},
 "debtorAccount":{"bban":"09232911044","currency":"NOK"},
 "creditorAccount":{"bban":"90491105991","currency":"NOK"},
 "creditorName":"Company 123","remittanceInformationUnstructured":"Kredittrente"}`

// A header to sign, and its value.
type header struct{ name, value string }

func main() {
	id := make([]byte, 16)
	rand.Read(id)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	signed := []header{
		{"date", time.Now().UTC().Format(http.TimeFormat)},
		{"digest", digest([]byte(body))},
		{"x-request-id", fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])},
		{"tpp-redirect-uri", os.Getenv("BANK") + "/sandbox/landed"},
	}
	request := must(http.NewRequest("POST", os.Getenv("BANK")+target, strings.NewReader(body)))
	for _, one := range signed {
		request.Header.Set(one.name, one.value)
	}
	certificate, signature := prove(signed, must(os.ReadFile("mine.cert.pem")), must(os.ReadFile("mine.key.pem")), os.Getenv("KEY_ID"))
	for name, value := range map[string]string{
		"tpp-signature-certificate": certificate,
		"signature":                 signature,
		"content-type":              "application/json",
		"accept":                    "application/json",
		"psu-ip-address":            "127.0.0.1",
		"tpp-session-id":            "mine",
		"x-psu-identity":            "13039319955",
		"psu-context":               "PRIVATE",
	} {
		request.Header.Set(name, value)
	}
	answer := must(http.DefaultClient.Do(request))
	fmt.Println(string(must(io.ReadAll(answer.Body))), answer.StatusCode)
}

func digest(body []byte) string {
	hash := sha256.Sum256(body)
	return "SHA-256=" + base64.StdEncoding.EncodeToString(hash[:])
}

// The values of TPP-Signature-Certificate and Signature that prove these headers, which are signed in their order.
func prove(signed []header, certificate, key []byte, keyId string) (string, string) {
	var names, lines []string
	for _, one := range signed {
		names = append(names, one.name)
		lines = append(lines, one.name+": "+strings.TrimSpace(one.value))
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	private := must(x509.ParsePKCS8PrivateKey(decoded(key))).(*rsa.PrivateKey)
	signature := base64.StdEncoding.EncodeToString(must(rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, sum[:])))
	return base64.StdEncoding.EncodeToString(decoded(certificate)),
		fmt.Sprintf(`keyId="%s",algorithm="rsa-sha256",headers="%s",signature="%s"`, keyId, strings.Join(names, " "), signature)
}

// The bytes in a PEM text.
func decoded(text []byte) []byte {
	block, _ := pem.Decode(text)
	return block.Bytes
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
