// Command clients asks the sandbox's node with clients that others wrote: @solana/web3.js and
// @solana/kit in processes of node, solana-go in this one. A probe is a method of the client as
// its documentation has it, with a check of the answer. See ../README.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go/sandbox"
)

// world has all that the probes know of the sandbox.
type world struct {
	URL       string `json:"url"`
	Socket    string `json:"socket"`
	Address   string `json:"address"` // the wallet, which has 100 SOL and 10,000 USDC
	Secret    []int  `json:"secret"`
	Mint      string `json:"mint"`      // USDC
	Holder    string `json:"holder"`    // the wallet's account of it
	Signature string `json:"signature"` // a transfer of 1,000,000 lamports that has landed
	Slot      uint64 `json:"slot"`      // where
}

// result is the outcome of a probe. Error is empty if the answer is right.
type result struct{ Client, Name, Error string }

func main() {
	least := flag.Float64("least", 95, "the percentage of each client's probes that must pass")
	flag.Parse()
	good, err := run(os.Stdout, *least)
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

func run(out io.Writer, least float64) (bool, error) {
	s, err := sandbox.Start(sandbox.Config{NoLimits: true, Network: &sandbox.Network{}})
	if err != nil {
		return false, err
	}
	defer s.Close()
	w, err := prepare(s)
	if err != nil {
		return false, err
	}
	var all []result
	for _, program := range []string{"web3.mjs", "kit.mjs"} {
		part, err := foreign(program, w)
		if err != nil {
			return false, err
		}
		all = append(all, part...)
	}
	all = append(all, ours(w)...)
	return report(out, all, least), nil
}

// fewest are how many probes of each client there are at least.
var fewest = []struct {
	client string
	probes int
}{{"web3.js", 67}, {"kit", 43}, {"solana-go", 24}}

// report prints what failed and the closing line.
func report(out io.Writer, all []result, least float64) bool {
	passed, total := map[string]int{}, map[string]int{}
	for _, r := range all {
		total[r.Client]++
		if r.Error == "" {
			passed[r.Client]++
		} else {
			fmt.Fprintf(out, "%-10s %-40s %s\n", r.Client, r.Name, r.Error)
		}
	}
	good := true
	fmt.Fprint(out, "clients:")
	for _, f := range fewest {
		p, n := passed[f.client], total[f.client]
		fmt.Fprintf(out, " %s %d/%d", f.client, p, n)
		good = good && n >= f.probes && 100*float64(p) >= least*float64(n)
	}
	fmt.Fprintln(out)
	return good
}

// prepare has a transfer land, a minute of the sandbox's time ago.
func prepare(s *sandbox.Sandbox) (world, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	w := world{
		URL: s.URL(sandbox.RPC), Socket: s.Ledger().NodeSocket(0).URL(), Address: s.WalletAddress(), Mint: s.Mint("USDC"),
	}
	w.Holder = s.Ledger().AssociatedAccount(w.Address, w.Mint)
	for _, b := range s.Wallet() {
		w.Secret = append(w.Secret, int(b))
	}
	c := rpc.New(w.URL)
	tx, err := payment(ctx, c, s.Wallet())
	if err != nil {
		return w, err
	}
	signature, err := c.SendTransaction(ctx, tx)
	if err != nil {
		return w, fmt.Errorf("the first transfer: %w", err)
	}
	w.Signature = signature.String()
	for !s.Ledger().TransactionStatus(w.Signature).Found {
		if err := ctx.Err(); err != nil {
			return w, fmt.Errorf("the first transfer does not land: %w", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	w.Slot = s.Ledger().TransactionStatus(w.Signature).Slot
	s.Advance(time.Minute)
	return w, nil
}

// payment is a signed transfer to somebody new.
func payment(ctx context.Context, c *rpc.Client, private []byte) (*solana.Transaction, error) {
	latest, err := c.GetLatestBlockhash(ctx, rpc.CommitmentFinalized) // as a node preflights by itself
	if err != nil {
		return nil, err
	}
	from, to := solana.PrivateKey(private), solana.NewWallet().PublicKey()
	transfer := system.NewTransferInstruction(1_000_000, from.PublicKey(), to).Build()
	tx, err := solana.NewTransaction([]solana.Instruction{transfer}, latest.Value.Blockhash,
		solana.TransactionPayer(from.PublicKey()))
	if err != nil {
		return nil, err
	}
	_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &from })
	return tx, err
}

// foreign runs the probes of a program of node.
func foreign(program string, w world) ([]result, error) {
	text, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "node", program)
	c.Env = append(os.Environ(), "JUDGE_WORLD="+string(text))
	c.Stderr = io.Discard // a client's log of what it repeats
	pipe, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("node does not start: %w", err)
	}
	var all []result
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		var r result
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Name != "" { // a client prints warnings there, too
			all = append(all, r)
		}
	}
	if err := c.Wait(); err != nil {
		return nil, fmt.Errorf("%s ended after %d probes: %w", program, len(all), err)
	}
	return all, nil
}
