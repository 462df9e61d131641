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

func main() {
	hash := sha256.Sum256([]byte(body))
	id := make([]byte, 16)
	rand.Read(id)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	signed := [][2]string{
		{"date", time.Now().UTC().Format(http.TimeFormat)},
		{"digest", "SHA-256=" + base64.StdEncoding.EncodeToString(hash[:])},
		{"x-request-id", fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])},
		{"tpp-redirect-uri", os.Getenv("BANK") + "/sandbox/landed"},
	}
	request := must(http.NewRequest("POST", os.Getenv("BANK")+target, strings.NewReader(body)))
	var names, lines []string
	for _, header := range signed {
		names = append(names, header[0])
		lines = append(lines, header[0]+": "+header[1])
		request.Header.Set(header[0], header[1])
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	key := must(x509.ParsePKCS8PrivateKey(decoded("mine.key.pem"))).(*rsa.PrivateKey)
	signature := base64.StdEncoding.EncodeToString(must(rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])))
	for name, value := range map[string]string{
		"tpp-signature-certificate": base64.StdEncoding.EncodeToString(decoded("mine.cert.pem")),
		"signature": fmt.Sprintf(`keyId="%s",algorithm="rsa-sha256",headers="%s",signature="%s"`,
			os.Getenv("KEY_ID"), strings.Join(names, " "), signature),
		"content-type":   "application/json",
		"accept":         "application/json",
		"psu-ip-address": "127.0.0.1",
		"tpp-session-id": "mine",
		"x-psu-identity": "13039319955",
		"psu-context":    "PRIVATE",
	} {
		request.Header.Set(name, value)
	}
	answer := must(http.DefaultClient.Do(request))
	fmt.Println(string(must(io.ReadAll(answer.Body))), answer.StatusCode)
}

// The bytes of a PEM file.
func decoded(name string) []byte {
	block, _ := pem.Decode(must(os.ReadFile(name)))
	return block.Bytes
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
