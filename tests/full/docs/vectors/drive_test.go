package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDrive(t *testing.T) {
	for _, folder := range strings.Fields(os.Getenv("FOLDERS")) {
		read := func(name string) []byte { return must(os.ReadFile(folder + "/" + name)) }
		hash := digest(read("body"))
		var signed []header
		for _, line := range strings.Split(strings.TrimSuffix(string(read("signed")), "\n"), "\n") {
			name, value, _ := strings.Cut(line, ": ")
			if name == "digest" {
				value = hash
			}
			signed = append(signed, header{name, value})
		}
		certificate, signature := prove(signed, read("mine.cert.pem"), read("mine.key.pem"), string(read("key-id")))
		fmt.Printf("%s\n%s\n%s\n", hash, certificate, signature)
	}
}
