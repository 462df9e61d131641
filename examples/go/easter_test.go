// What is due at Easter is paid on the banking day after it. Needs Go 1.19 or newer, and no module.
//
//	go test easter_test.go                               starts a bank with $SANDBANK, or else with npx
//	BANK=http://127.0.0.1:7263 go test easter_test.go    uses a running one, such as a container
//	In a clone, with Node 24: SANDBANK='node ../../scripts/sandbank.js' go test easter_test.go
package easter

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"
	"syscall"
	"testing"
	"time"
)

var server = os.Getenv("BANK")

// A payment due on the Wednesday before Easter is paid on that day, one due on Maundy Thursday on the Tuesday after it.
func TestEaster(t *testing.T) {
	for due, paid := range map[string]string{"2027-03-24": "2027-03-24", "2027-03-25": "2027-03-30"} {
		t.Run(due, func(t *testing.T) {
			bank := newBank(t)
			payment := bank.pay(due)
			until := `{"until": {"paymentId": "` + payment.PaymentID + `", "status": "ACSC"}}`
			var advanced struct{ To string }
			bank.call("POST", "/sandbox/clock/advance", until, &advanced)
			var read struct{ TransactionStatus string }
			bank.call("GET", "/sandbox/as/go"+payment.Links.Status.Href, "", &read)
			if on := advanced.To[:10]; on != paid || read.TransactionStatus != "ACSC" {
				t.Errorf("%s on %s, expected ACSC on %s", read.TransactionStatus, on, paid)
			}
			var account struct{ Available struct{ Amount string } }
			bank.call("GET", "/sandbox/accounts/09232911044", "", &account)
			if account.Available.Amount != "17750.00" {
				t.Errorf("%s NOK are left, expected 17750.00", account.Available.Amount)
			}
			if left := bank.balance("09232911044"); left != "17750.00" {
				t.Errorf("a reader sees %s NOK, expected 17750.00", left)
			}
		})
	}
}

// The answer to an initiation, as far as these tests read it.
type payment struct {
	PaymentID string
	Links     struct{ ScaRedirect, Status struct{ Href string } } `json:"_links"`
}

// A bank of one test, by its address.
type bank struct {
	*testing.T
	address string
}

// Each test has a bank of its own, at noon on the Wednesday before Easter.
func newBank(t *testing.T) bank {
	all, name := bank{t, server}, fmt.Sprintf("easter-%d", time.Now().UnixNano())
	all.call("POST", "/sandbox/banks", `{"name": "`+name+`", "now": "2027-03-24T12:00:00+01:00", "mode": "frozen"}`, nil)
	t.Cleanup(func() { all.call("DELETE", "/sandbox/banks/"+name, "", nil) })
	return bank{t, server + "/banks/" + name}
}

func (b bank) pay(due string) (made payment) {
	// The bank signs plain requests below /sandbox/as/{tpp}, as the TPP of that name.
	b.call("POST", "/sandbox/as/go/v1/payments/norwegian-domestic-credit-transfers", `{
		"instructedAmount": {"amount": "250.00", "currency": "NOK"}, "requestedExecutionDate": "`+due+`",
		"debtorAccount": {"bban": "09232911044", "currency": "NOK"},
		"creditorAccount": {"bban": "90491105991", "currency": "NOK"}, "creditorName": "Company 123"
	}`, &made)
	b.approve(made)
	return made
}

// What a TPP reads as the balance of an account, by a consent of the PSU.
func (b bank) balance(bban string) string {
	tpp := "/sandbox/as/go"
	var started payment
	b.call("POST", tpp+"/v1/bank-offered-consents", "", &started)
	granted := b.approve(started)
	headers := []string{"PSU-ID", granted.Get("psu-id"), "TPP-Session-ID", granted.Get("tpp-session-id")}
	var read struct {
		Accounts []struct {
			Bban     string
			Balances []struct {
				BalanceType   string
				BalanceAmount struct{ Amount string }
			}
		}
	}
	b.call("GET", tpp+"/v1/accounts?withBalance=true", "", &read, headers...)
	for _, account := range read.Accounts {
		for _, balance := range account.Balances {
			if account.Bban == bban && balance.BalanceType == "interimAvailable" {
				return balance.BalanceAmount.Amount
			}
		}
	}
	b.Fatalf("the PSU has granted no account %s", bban)
	return ""
}

// The PSU approves. Returns the parameters of the address that the bank redirects to.
func (b bank) approve(started payment) url.Values {
	sca := path.Base(started.Links.ScaRedirect.Href)
	var answer struct{ Redirect string }
	b.call("POST", "/sandbox/sca/"+sca, `{"outcome": "approve", "psu": "13039319955", "context": "PRIVATE"}`, &answer)
	redirect, err := url.Parse(answer.Redirect)
	if err != nil {
		b.Fatal(err)
	}
	return redirect.Query()
}

// Sends JSON for the PSU and decodes the answer into what answer points to; nil: nothing is read. Further headers are pairs of name and
// value. Ends the test if the bank refuses.
func (b bank) call(method, path, body string, answer any, headers ...string) {
	request, _ := http.NewRequest(method, b.address+path, strings.NewReader(body))
	request.Header = http.Header{"Content-Type": {"application/json"}, "X-Psu-Identity": {"13039319955"}, "Psu-Context": {"PRIVATE"}}
	for at := 0; at < len(headers); at += 2 {
		request.Header.Set(headers[at], headers[at+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	said, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		b.Fatalf("%s %s: %s %s", method, path, response.Status, said)
	}
	if answer != nil && json.Unmarshal(said, answer) != nil {
		b.Fatalf("%s %s answers no JSON of that form: %s", method, path, said)
	}
}

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// Runs the tests with a bank, which it starts and stops unless $BANK names one. Returns the exit code.
func run(m *testing.M) int {
	if server == "" {
		child := exec.Command("sh", "-c", "exec ${SANDBANK:-npx --no sandbank} serve --port 0 --ledger :memory: --json")
		out, _ := child.StdoutPipe()
		child.Start()
		defer child.Process.Signal(syscall.SIGTERM)
		var greeting struct{ Address string }
		if json.NewDecoder(out).Decode(&greeting) != nil {
			fmt.Fprintln(os.Stderr, "No bank started: npm install the package sandbank here, or set SANDBANK to its command or BANK to the address of a bank.")
			return 1
		}
		server = greeting.Address
	}
	for wait := 0; wait < 300 && !isReady(); wait++ {
		time.Sleep(100 * time.Millisecond)
	}
	if !isReady() {
		fmt.Fprintln(os.Stderr, server+" is not ready")
		return 1
	}
	return m.Run()
}

func isReady() bool {
	response, err := http.Get(server + "/ready")
	return err == nil && response.StatusCode == 200
}
