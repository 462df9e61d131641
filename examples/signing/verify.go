package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
)

func main() {
	var told struct{ Certificate string }
	_, text := get("/sandbox/bank-certificate")
	must(0, json.Unmarshal(text, &told))
	block, _ := pem.Decode([]byte(told.Certificate))
	certificate := must(x509.ParseCertificate(block.Bytes))
	if time.Now().After(certificate.NotAfter) {
		panic("expired")
	}
	answer, body := get("/sandbox/as/mine/v1/sandbox/customers")
	hash := sha256.Sum256(body)
	if answer.Header.Get("Digest") != "SHA-256="+base64.StdEncoding.EncodeToString(hash[:]) {
		panic("digest")
	}
	parts := map[string]string{}
	for _, part := range regexp.MustCompile(`(\w+)="([^"]*)"`).FindAllStringSubmatch(answer.Header.Get("Signature"), -1) {
		parts[part[1]] = part[2]
	}
	var lines []string
	for _, name := range strings.Split(parts["headers"], " ") {
		value := answer.Header.Get(name)
		if name == "(status)" {
			value = fmt.Sprint(answer.StatusCode)
		}
		lines = append(lines, name+": "+value)
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	signature := must(base64.StdEncoding.DecodeString(parts["signature"]))
	must(0, rsa.VerifyPKCS1v15(certificate.PublicKey.(*rsa.PublicKey), crypto.SHA256, sum[:], signature))
	fmt.Println("verified")
}

func get(path string) (*http.Response, []byte) {
	answer := must(http.Get(os.Getenv("BANK") + path))
	defer answer.Body.Close()
	return answer, must(io.ReadAll(answer.Body))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
