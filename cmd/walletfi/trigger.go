package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/webhooks"
)

const triggerLong = `trigger sends one delivery of a documented event to URL, signed as the webhook service signs:
HMAC-SHA256 of nonce, time and body. EVENT is ledger or evm; --body sends a body of your own
as it is. The secret is the receiver's, and comes from where verify-webhook has it.

--stale signs at a time that a receiver must refuse, --tampered changes the body after it was
signed: a receiver that answers these with 2xx is broken, and the status is then 9.`

const triggerExample = `  WALLETFI_WEBHOOK_SECRET=... walletfi trigger ledger http://127.0.0.1:3000/hook
  walletfi trigger evm http://127.0.0.1:3000/hook --secret-file secret --tampered`

// events are the documented kinds of deliveries.
var events = map[string]struct{ network, body string }{
	"ledger": {"SOLANA_MAINNET", `{"webhookId":"wh_trigger","network":%q,"timestamp":%d,"slot":300000000,` +
		`"transactions":[` +
		`{"signature":"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV",` +
		`"meta":{"fee":5000,"preBalances":[1000005000,0],"postBalances":[0,1000000000],"err":null},` +
		`"transaction":{"message":{"accountKeys":["GvKfvMaJTdprEg9YCp5c1eGiPHA3uk5zraEvUbwi8wCy",` +
		`"11111111111111111111111111111111"],"instructions":[]},"signatures":[` +
		`"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV"]}}]}`},
	"evm": {"ETH_MAINNET", `{"webhookId":"wh_trigger","network":%q,"timestamp":%d,"blockNumber":20000000,` +
		`"blockHash":"0x00000000000000000000000000000000000000000000000000000000000000ab","transactions":[` +
		`{"hash":"0x00000000000000000000000000000000000000000000000000000000000000cd",` +
		`"from":"0x0000000000000000000000000000000000000001","to":"0x0000000000000000000000000000000000000002",` +
		`"value":"1","gas":"21000","gasPrice":"1","input":"0x","nonce":0,"logs":[]}]}`},
}

// networks are the documented ones; a service may have more.
var networks = []string{"SOLANA_MAINNET", "ETH_MAINNET", "ETH_SEPOLIA"}

type trigger struct {
	verify

	network, body   string
	stale, tampered bool
}

func newTrigger(s streams) *cobra.Command {
	g := &trigger{verify: verify{streams: s}}
	cmd := &cobra.Command{
		Use: "trigger EVENT URL", Short: "Send a signed test delivery to a webhook receiver",
		Long: triggerLong, Example: triggerExample,
		ValidArgs: []string{"ledger", "evm"},
		RunE:      func(cmd *cobra.Command, args []string) error { return g.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	g.keys(f)
	_ = f.MarkHidden("max-age") // of who verifies
	f.StringVar(&g.network, "network", "", "the `network` that it is of, by default a mainnet")
	f.StringVar(&g.body, "body", "", "a `file` with the body, - for standard input, in place of the event's")
	f.BoolVar(&g.stale, "stale", false, "sign at a time that is too old")
	f.BoolVar(&g.tampered, "tampered", false, "change the body after it was signed")
	f.BoolVar(&g.asJSON, "json", false, "print JSON")
	offer(cmd, "network", networks...)
	return cmd
}

func (g *trigger) run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return usage("an EVENT and a URL are needed, and nothing else")
	}
	event, ok := events[args[0]]
	if !ok {
		return usage("there is no event %q: it is ledger or evm%s", args[0], didYouMean(args[0], "ledger", "evm"))
	}
	if err := plainURL("URL", args[1]); err != nil {
		return err
	}
	if g.stale && g.tampered {
		return usage("--stale and --tampered: one of them")
	}
	if err := onceStdin(g.body, g.deployment); err != nil {
		return err
	}
	if g.network == "" {
		g.network = event.network
	}
	body := fmt.Appendf(nil, event.body, g.network, time.Now().Unix())
	if g.body != "" {
		var err error
		if body, err = g.readFile(g.body, webhooks.DefaultMaxBody); err != nil {
			return err
		}
	}
	signed, err := g.signed(args[1], body)
	if err != nil {
		return err
	}
	return g.send(signed.WithContext(ctx))
}

// signed is the delivery.
func (g *trigger) signed(to string, body []byte) (*http.Request, error) {
	verifier, err := g.verifier()
	if err != nil {
		return nil, err
	}
	spoken, err := g.optionalDeployment(g.deployment)
	if err != nil {
		return nil, err
	}
	if _, err := webhooks.NewDeliveryReader(*verifier, spoken); err != nil {
		return nil, as(statusMalformed, err)
	}
	signer := webhooks.DeliverySigner{Secret: verifier.Secrets[0], Deployment: spoken}
	switch {
	case g.stale:
		return signer.Stale(to, body), nil
	case g.tampered:
		return signer.Tampered(to, body), nil
	}
	return signer.Request(to, body), nil
}

// mostAnswer bounds how much of an answer's body is shown, in bytes.
const mostAnswer = 2048

// answerTime is how long the service waits for an answer.
const answerTime = 30 * time.Second

// direct is a client that is sent nowhere else: a redirected delivery is not taken.
var direct = &http.Client{
	Timeout:       answerTime,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (g *trigger) send(request *http.Request) error {
	begun := time.Now()
	answer, err := direct.Do(request)
	if err != nil {
		return as(statusNetwork, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return as(statusNetwork, err)
	}
	took, good := time.Since(begun).Round(time.Millisecond), answer.StatusCode/100 == 2
	if g.asJSON {
		err = g.printJSON(struct {
			Status int    `json:"status"`
			TookMS int64  `json:"tookMs"`
			Answer string `json:"answer"`
		}{answer.StatusCode, took.Milliseconds(), string(bytes.ToValidUTF8(body, []byte("\uFFFD")))})
	} else {
		_, err = fmt.Fprintf(g.out, "answered %d in %s: %q\n", answer.StatusCode, took, body)
	}
	wanted := !g.stale && !g.tampered
	if err == nil && good != wanted {
		err = as(statusDiffers, fmt.Errorf("the receiver answered %d; 2xx was expected: %t", answer.StatusCode, wanted))
	}
	return err
}

// plainURL refuses what is no address of HTTP, and one that has a password in it: others can see
// arguments.
func plainURL(name, text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return usage("%s: an address of http or https is needed", name)
	case u.User != nil:
		return usage("%s: has a user or a password, which others could see", name)
	}
	return nil
}
