package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"

	"github.com/walletfi/walletfi-go/sandbox"
)

// listing is the answer of GET /info of the control port.
type listing struct {
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

// show prints all that a program needs, as the control port states it.
func show(s *sandbox.Sandbox, out io.Writer, asJSON bool) error {
	raw, err := info(s)
	if err != nil {
		return err
	}
	if asJSON {
		_, err = fmt.Fprintf(out, "%s\n", raw)
		return err
	}
	var l listing
	if err := json.Unmarshal(raw, &l); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SERVICE\tURL\tKEY\tPROGRAM")
	for _, e := range l.Services {
		name := e.Service
		if e.Host != "" {
			name += ", " + e.Host
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, e.URL, e.Key, e.Program)
	}
	fmt.Fprintf(w, "control port\t%s\t%s\t\n", l.Control.URL, l.Control.Token)
	w.Flush()
	// This key is safe to print: it has money only on the sandbox's ledger.
	fmt.Fprintf(out, "\nfunded wallet  %s\nits key        %s\n",
		l.Wallet.Address, strings.ReplaceAll(fmt.Sprint(l.Wallet.Keypair), " ", ","))
	for _, t := range l.Tokens {
		fmt.Fprintf(out, "%-14s %s (%d decimals)\n", t.Symbol, t.Mint, t.Decimals)
	}
	_, err = fmt.Fprintf(out, "\nThe control port is described by %s\nPress Ctrl-C to stop.\n", l.Control.OpenAPI)
	return err
}

func info(s *sandbox.Sandbox) ([]byte, error) {
	request, err := http.NewRequest(http.MethodGet, s.URL(sandbox.Control)+"/info", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.APIKey(sandbox.Control))
	answer, err := s.Transport().RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}
