package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox"
)

// info is the answer of GET /info of the control port.
type info struct {
	Services []struct{ Service, Host, URL, Key, Program string }
	Tokens   []struct {
		Symbol, Mint string
		Decimals     int
	}
	Wallet struct {
		Address string
		Keypair []int
	}
	Control struct{ URL, Token, OpenAPI string }
}

// showInfo prints the answer itself.
func showInfo(out io.Writer, box *sandbox.Sandbox) error {
	raw, err := readInfo(box)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", strings.TrimSpace(string(raw)))
	return err
}

// showEnv prints a line per value, quoted for a shell: WALLETFI_LENDING_URL and so on.
// The keys are safe to print: they are worth something on this sandbox only.
func showEnv(out io.Writer, box *sandbox.Sandbox) error {
	raw, err := readInfo(box)
	if err != nil {
		return err
	}
	var all info
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	var b strings.Builder
	line := func(value string, name ...string) {
		if value != "" {
			fmt.Fprintf(&b, "WALLETFI_%s='%s'\n", variable(name...), strings.ReplaceAll(value, "'", `'\''`))
		}
	}
	for _, s := range all.Services {
		line(s.URL, s.Service, s.Host, "URL")
		line(s.Key, s.Service, s.Host, "KEY")
		line(s.Program, s.Service, s.Host, "PROGRAM")
	}
	line(box.URL(sandbox.RPC), "NODE_URL")          // what explain --node asks
	line(box.Webhooks().Secret(), "WEBHOOK_SECRET") // what verify-webhook takes
	line(all.Wallet.Address, "WALLET_ADDRESS")
	line(strings.ReplaceAll(fmt.Sprint(all.Wallet.Keypair), " ", ","), "WALLET_KEYPAIR")
	for _, t := range all.Tokens {
		line(t.Mint, "MINT", t.Symbol)
	}
	line(all.Control.Token, "CONTROL_TOKEN")
	line(all.Control.OpenAPI, "CONTROL_OPENAPI")
	line(all.Control.URL, "CONTROL_URL") // the last line: everything answers
	_, err = io.WriteString(out, b.String())
	return err
}

// variable makes a variable's name of the parts that are not empty.
func variable(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, strings.Join(kept, "_"))
}

func readInfo(box *sandbox.Sandbox) ([]byte, error) {
	request, err := http.NewRequest(http.MethodGet, box.URL(sandbox.Control)+"/info", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+box.APIKey(sandbox.Control))
	answer, err := box.Transport().RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the control port answered %s", answer.Status)
	}
	return io.ReadAll(answer.Body)
}
