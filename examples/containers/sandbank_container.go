// Package sandbank starts Sandbank in a container, for Testcontainers. Copy this file. Needs Go 1.22, the module
// github.com/testcontainers/testcontainers-go, and the image `sandbank` (docker build -t sandbank . in a clone).
//
//	bank, err := sandbank.Start(ctx, sandbank.Options{})
//	_, err = bank.Advance(ctx, `{"runs": 1}`)
//	err = bank.Terminate(ctx)
package sandbank

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const token = "a-token-for-these-tests"

// Options of a bank. Empty: the image `sandbank`, noon on the Wednesday before Easter 2027, the seed `tests`.
type Options struct {
	Image string
	// Now is where the clock starts.
	Now string
	// With the same Seed the same calls give the same ids.
	Seed string
}

// Bank is a bank in a container. Its clock stands still until Advance moves it.
type Bank struct {
	testcontainers.Container
	// URL is the address of the bank, without a slash at the end.
	URL string
}

// Start starts a bank, and waits until it is ready.
func Start(ctx context.Context, options Options) (*Bank, error) {
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        cmp.Or(options.Image, "sandbank"),
			ExposedPorts: []string{"7263/tcp"},
			Env: map[string]string{
				"SANDBANK_LEDGER":        ":memory:",
				"SANDBANK_CLOCK_MODE":    "frozen",
				"SANDBANK_CLOCK_NOW":     cmp.Or(options.Now, "2027-03-24T12:00:00+01:00"),
				"SANDBANK_ID_SEED":       cmp.Or(options.Seed, "tests"),
				"SANDBANK_CONTROL_TOKEN": token,
				"SANDBANK_TPP_TRUST":     "any",
			},
			WaitingFor: wait.ForHTTP("/ready").WithPort("7263/tcp"),
		},
		Started: true,
	})
	if err != nil {
		return nil, err
	}
	url, err := container.PortEndpoint(ctx, "7263/tcp", "http")
	if err != nil {
		return nil, err
	}
	return &Bank{container, url}, nil
}

// Control makes a call of the control plane, and returns its JSON: bank.Control(ctx, "GET", "/payments", "").
func (bank *Bank) Control(ctx context.Context, method, path, json string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, method, bank.URL+"/sandbox"+path, strings.NewReader(json))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	return string(text), err
}

// Advance moves the clock: {"by": "P3D"}, {"to": "2027-03-31"}, {"runs": 1}.
func (bank *Bank) Advance(ctx context.Context, until string) (string, error) {
	return bank.Control(ctx, "POST", "/clock/advance", until)
}
