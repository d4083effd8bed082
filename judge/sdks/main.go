// Command sdks has the SDKs of two vendors trade on the sandbox, which speaks as vendors.json says. See
// ../README.md.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox"
)

// fewest are how many flows of each SDK there are at least.
var fewest = []struct {
	client, program string
	flows           int
}{{"jup-ag", "jupiter.mjs", 5}, {"raydium", "raydium.mjs", 6}}

func main() {
	vendors := flag.String("vendors", "vendors.json", "how the services differ from the documentation")
	flag.Parse()
	good, err := run(os.Stdout, *vendors)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sdks:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

func run(out io.Writer, vendors string) (bool, error) {
	file, err := deployment.Load(vendors)
	if err != nil {
		return false, err
	}
	s, err := sandbox.Start(sandbox.Config{NoLimits: true, InstantConfirmation: true, Deployment: file})
	if err != nil {
		return false, err
	}
	defer s.Close()
	s.AMM().SetWholeEnvelope(true) // a quote comes back as the vendor's demo has it, with its envelope
	line, good := "sdks:", true
	for _, f := range fewest {
		passed, total, err := flows(out, s, f.program)
		if err != nil {
			return false, err
		}
		line += fmt.Sprintf(" %s %d/%d", f.client, passed, total)
		good = good && passed == total && total >= f.flows
	}
	fmt.Fprintln(out, line)
	return good, nil
}

// flows runs the flows of a program of node, and prints those that fail.
func flows(out io.Writer, s *sandbox.Sandbox, program string) (passed, total int, err error) {
	secret := make([]int, 0, 64)
	for _, b := range s.Wallet() {
		secret = append(secret, int(b))
	}
	world, err := json.Marshal(map[string]any{
		"url": s.URL(sandbox.RPC), "socket": s.Ledger().NodeSocket(0).URL(), "secret": secret,
		"sol": s.Mint("SOL"), "mint": s.Mint("USDC"),
		"swap": s.URL(sandbox.Swap), "key": s.APIKey(sandbox.Swap), "trade": s.URL(sandbox.AMM), "data": s.AMM().DataURL(),
	})
	if err != nil {
		return 0, 0, err
	}
	c := exec.Command("node", program)
	c.Env = append(os.Environ(), "JUDGE_WORLD="+string(world))
	c.Stderr = io.Discard // what an SDK prints of its own
	pipe, err := c.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := c.Start(); err != nil {
		return 0, 0, fmt.Errorf("node does not start: %w", err)
	}
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		var flow struct{ Client, Name, Error string }
		if json.Unmarshal(lines.Bytes(), &flow) != nil || flow.Name == "" {
			continue // an SDK prints there, too
		}
		total++
		if flow.Error == "" {
			passed++
			continue
		}
		fmt.Fprintf(out, "%-10s %-40s %s\n", flow.Client, flow.Name, flow.Error)
	}
	if err := c.Wait(); err != nil {
		return passed, total, fmt.Errorf("%s ended after %d flows: %w", program, total, err)
	}
	return passed, total, nil
}
