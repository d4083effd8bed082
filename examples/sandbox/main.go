// Command sandbox runs all eleven services and a Solana node on loopback until
// it is interrupted, and prints their addresses and keys, so that curl and any
// language can use them.
//
//	go run ./examples/sandbox            # any free ports
//	go run ./examples/sandbox -port 9000 # 9000 and up
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/walletfi/walletfi-go/sandbox"
)

func main() {
	port := flag.Int("port", 0, "port of the first service; 0 means any free ports")
	asJSON := flag.Bool("json", false, "print JSON instead of a table")
	noLimits := flag.Bool("no-limits", false, "switch the services' rate limits off")
	flag.Parse()

	s, err := sandbox.Start(sandbox.Config{BasePort: *port, NoLimits: *noLimits})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	if *asJSON {
		json.NewEncoder(os.Stdout).Encode(listing(s))
	} else {
		table(s)
	}

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
}

// entry is the address of a service, with its key.
type entry struct {
	Service string `json:"service"`
	URL     string `json:"url"`
	Key     string `json:"key,omitempty"`
	Program string `json:"program,omitempty"` // program to pin in the signing guard
}

func listing(s *sandbox.Sandbox) []entry {
	var all []entry
	for _, service := range sandbox.Services() {
		all = append(all, entry{string(service), s.URL(service), s.APIKey(service), s.ProgramID(service)})
	}
	return append(all,
		entry{Service: "amm, data host", URL: s.AMM().DataURL()},
		entry{Service: "predictmeta, feed", URL: s.PredictMeta().WSURL() + "/ws"},
		entry{Service: "onchaindata, pro", URL: s.OnchainData().ProURL(), Key: s.APIKey(sandbox.OnchainData)},
		entry{Service: "Solana node", URL: s.URL(sandbox.RPC)},
	)
}

func table(s *sandbox.Sandbox) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SERVICE\tURL\tKEY\tPROGRAM")
	for _, e := range listing(s) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Service, e.URL, e.Key, e.Program)
	}
	w.Flush()
	// This key is safe to print: it has money only on the sandbox's ledger.
	key := strings.ReplaceAll(fmt.Sprint([]byte(s.Wallet())), " ", ",")
	fmt.Printf("\nfunded wallet  %s\nits key        %s\n", s.WalletAddress(), key)
	for _, t := range s.Ledger().Tokens() {
		fmt.Printf("%-14s %s (%d decimals)\n", t.Symbol, t.Mint, t.Decimals)
	}
	fmt.Println("\nPress Ctrl-C to stop.")
}
