// What is due at Easter is paid on the banking day after it. Needs Go 1.19 or newer, and no module.
//
//	go test easter_test.go                               starts a bank with $SANDBANK, or else with npx
//	BANK=http://127.0.0.1:8080 go test easter_test.go    uses a running one, such as a container
package easter

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"path"
	"strings"
	"syscall"
	"testing"
	"time"
)

var server = os.Getenv("BANK")

func TestDueOnMaundyThursdayPaidOnTuesday(t *testing.T) {
	bank := newBank(t)
	payment := bank.pay("2027-03-25")
	bank.advance(`{"to": "2027-03-29T18:00:00+02:00"}`)
	equal(t, "ACSP", bank.status(payment))
	equal(t, "2027-03-30", bank.advance(`{"until": {"paymentId": "`+payment.PaymentID+`", "status": "ACSC"}}`))
}

func TestDueOnTheWednesdayBeforePaidAtOnce(t *testing.T) {
	bank := newBank(t)
	payment := bank.pay("2027-03-24")
	equal(t, "2027-03-24", bank.advance(`{"runs": 1}`))
	equal(t, "ACSC", bank.status(payment))
}

// A bank of a test; the bank signs plain requests to tpp.
type bank struct {
	t            *testing.T
	address, tpp string
}

// Each test has a bank of its own, at noon on the Wednesday before Easter.
func newBank(t *testing.T) bank {
	name := fmt.Sprintf("easter-%d-%d", time.Now().UnixNano(), rand.Int31())
	call(t, "POST", server+"/sandbox/banks", `{"name": "`+name+`", "now": "2027-03-24T12:00:00+01:00", "mode": "frozen"}`)
	t.Cleanup(func() { call(t, "DELETE", server+"/sandbox/banks/"+name, "") })
	address := server + "/banks/" + name
	return bank{t, address, address + "/sandbox/as/go"}
}

func (b bank) pay(due string) answer {
	payment := call(b.t, "POST", b.tpp+"/v1/payments/norwegian-domestic-credit-transfers", `{
		"instructedAmount": {"amount": "250.00", "currency": "NOK"}, "requestedExecutionDate": "`+due+`",
		"debtorAccount": {"bban": "09232911044", "currency": "NOK"},
		"creditorAccount": {"bban": "90491105991", "currency": "NOK"}, "creditorName": "Company 123"
	}`, "X-PSU-IDENTITY", "13039319955", "PSU-Context", "PRIVATE")
	sca := b.address + "/sandbox/sca/" + path.Base(payment.Links.ScaRedirect.Href)
	call(b.t, "POST", sca, `{"outcome": "approve", "psu": "13039319955", "context": "PRIVATE"}`)
	return payment
}

func (b bank) status(payment answer) string {
	return call(b.t, "GET", b.tpp+payment.Links.Status.Href, "").TransactionStatus
}

func (b bank) advance(how string) string {
	return call(b.t, "POST", b.address+"/sandbox/clock/advance", how).To[:10]
}

// What these tests read of the answers of the bank.
type answer struct {
	Address, PaymentID, To, TransactionStatus string
	Links                                     struct{ ScaRedirect, Status struct{ Href string } } `json:"_links"`
}

// Sends JSON and returns the answer; ends the test if the bank refuses.
func call(t *testing.T, method, address, body string, headers ...string) (found answer) {
	t.Helper()
	request, _ := http.NewRequest(method, address, strings.NewReader(body))
	for i, all := 0, append(headers, "Content-Type", "application/json"); i < len(all); i += 2 {
		request.Header.Set(all[i], all[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(response.Body)
	if err := json.Unmarshal(said, &found); err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s", method, address, response.Status, said)
	}
	return found
}

func equal(t *testing.T, expected, actual string) {
	t.Helper()
	if expected != actual {
		t.Fatalf("expected %s, got %s", expected, actual)
	}
}

func TestMain(m *testing.M) {
	if server == "" {
		command := os.Getenv("SANDBANK")
		if command == "" {
			command = "npx --no sandbank"
		}
		words := strings.Fields(command + " serve --port 0 --ledger :memory: --json")
		child := exec.Command(words[0], words[1:]...)
		child.Stderr = os.Stderr
		out, _ := child.StdoutPipe()
		var greeting answer
		if err := child.Start(); err != nil {
			panic(err)
		} else if err := json.NewDecoder(out).Decode(&greeting); err != nil {
			panic(fmt.Sprint("no bank started: ", err))
		}
		defer child.Wait()
		defer child.Process.Signal(syscall.SIGTERM)
		server = greeting.Address
	}
	for attempt := 0; attempt < 300; attempt++ {
		if response, err := http.Get(server + "/ready"); err == nil && response.StatusCode == 200 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	m.Run()
}
