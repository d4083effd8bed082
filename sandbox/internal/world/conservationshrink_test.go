package world_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// shrink leaves out sets, transactions and instructions as long as the same kind
// of finding, for the same cause, is left.
func (c *conservation) shrink(acts []*act, kind, why string) []*act {
	troubled := c.troubled
	defer func() { c.troubled = troubled }()
	budget := 400
	same := func(acts []*act) bool {
		if budget--; budget < 0 {
			return false
		}
		_, all := c.perform(acts, nil)
		return slices.ContainsFunc(all, func(f finding) bool { return f.kind == kind && cause(acts[f.set]) == why })
	}
	for n := len(acts) / 2; n > 1; n /= 2 {
		for i := 0; i+n < len(acts); {
			if fewer := slices.Delete(slices.Clone(acts), i, i+n); same(fewer) {
				acts = fewer
			} else {
				i += n
			}
		}
	}
	for smaller := true; smaller && budget > 0; {
		smaller = false
		for candidate := range c.smaller(acts) {
			if same(candidate) {
				acts, smaller = candidate, true
				break
			}
		}
	}
	return acts
}

// smaller yields the play without one of its parts.
func (c *conservation) smaller(acts []*act) func(yield func([]*act) bool) {
	return func(yield func([]*act) bool) {
		for i := range acts {
			if len(acts) > 1 && !yield(slices.Delete(slices.Clone(acts), i, i+1)) {
				return
			}
		}
		for i, a := range acts {
			for _, b := range a.smaller() {
				candidate := slices.Clone(acts)
				candidate[i] = b
				if !yield(candidate) {
					return
				}
			}
		}
	}
}

// smaller returns the act without a transaction, an instruction or a fault.
func (a *act) smaller() (all []*act) {
	change := func(f func(*act)) {
		b := *a
		b.drawn.Unsigned.Transactions, b.moods = slices.Clone(a.drawn.Unsigned.Transactions), slices.Clone(a.moods)
		f(&b)
		all = append(all, &b)
	}
	for i, encoded := range a.drawn.Unsigned.Transactions {
		if len(a.drawn.Unsigned.Transactions) > 1 {
			change(func(b *act) {
				b.drawn.Unsigned.Transactions = slices.Delete(b.drawn.Unsigned.Transactions, i, i+1)
				if len(b.moods) > i {
					b.moods = slices.Delete(b.moods, i, i+1)
				}
			})
		}
		for _, text := range withoutOne(encoded) {
			change(func(b *act) { b.drawn.Unsigned.Transactions[i] = text })
		}
	}
	for i, m := range a.moods {
		if m != honest {
			change(func(b *act) { b.moods[i] = honest })
		}
	}
	if a.faults != "" {
		change(func(b *act) { b.faults = "" })
	}
	return all
}

// withoutOne returns a transaction without each of its instructions.
func withoutOne(encoded walletfi.EncodedTransaction) (all []walletfi.EncodedTransaction) {
	tx, err := signing.Decode(encoded)
	if err != nil {
		return nil
	}
	raw, keys := tx.Bytes(), tx.AccountKeys()
	start := bytes.Index(raw, flat(keys)) + 32*len(keys)
	count := start + 32
	if tx.Version() == signing.V1 {
		count = 40
	}
	reader := instructionReader(tx, raw, start)
	for _, ins := range tx.Instructions() {
		p := reader(ins)
		if raw[count] < 2 {
			return nil
		}
		less := slices.Clone(raw)
		if tx.Version() == signing.V1 {
			less = slices.Delete(less, p.accounts, p.data+len(ins.Data))
			less = slices.Delete(less, p.program, p.program+4)
		} else {
			less = slices.Delete(less, p.program, p.data+len(ins.Data))
		}
		less[count]--
		all = append(all, walletfi.Base64Transaction(newChangedText(less).text))
	}
	return all
}

// told is a play as a person can read it.
func (c *conservation) told(acts []*act) string {
	troubled := c.troubled
	defer func() { c.troubled = troubled }()
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	for i, a := range acts {
		say("set %d (%s), the guard: %s, the exchange is %s, landing %q", i+1, a.drawn.Name,
			a.sight, a.temper, a.faults)
		say("  asked for: %s", asked(a.drawn.Unsigned.Intent))
		txs, err := signing.DecodeAll(a.drawn.Unsigned)
		if err != nil {
			say("  %v", err)
		}
		for j, tx := range txs {
			m := honest
			if j < len(a.moods) {
				m = a.moods[j]
			}
			say("  transaction %d, %s, paid by %s; the node: %s", j+1, tx.Version(), c.name(tx.FeePayer()), m)
			for k, ins := range tx.Instructions() {
				say("    instruction %d: %s", k+1, c.instruction(tx, ins))
			}
		}
	}
	p, findings := c.perform(acts, say)
	for _, f := range findings {
		say("set %d: %s: %s", f.set+1, f.kind, f.why)
	}
	for _, d := range p.done {
		say("the report on set %d:\n    %s", d.index+1, strings.ReplaceAll(d.report.String(), "\n", "\n    "))
		say("  unseen: %q, simulated: %v", d.report.Unseen(), d.report.Simulated)
	}
	return b.String()
}

func asked(i walletfi.Intent) string {
	rent, fee := "default", "default"
	if i.MaxRentLamports != nil {
		rent = fmt.Sprint(*i.MaxRentLamports)
	}
	if i.MaxNetworkFeeLamports != nil {
		fee = fmt.Sprint(*i.MaxNetworkFeeLamports)
	}
	return fmt.Sprintf("spend %v, burn %v %v, receive %v, tip %d, service fee %v, rent %s, foreign rent %d, "+
		"network fee %s, sponsor %q, pay to %v, output to %v, delegates %v",
		i.Spend, i.Burn, i.BurnAll, i.Receive, i.TipLamports, i.ServiceFee, rent, i.MaxForeignRentLamports, fee, i.Sponsor,
		i.PayTo, i.OutputTo, i.Delegates)
}

func (c *conservation) instruction(tx *signing.Transaction, ins signing.Instruction) string {
	static := tx.AccountKeys()
	var accounts []string
	for _, i := range ins.Accounts {
		if int(i) < len(static) {
			accounts = append(accounts, c.name(static[i]))
		} else {
			accounts = append(accounts, "(of a table)")
		}
	}
	return fmt.Sprintf("%s %s(%s)", c.name(ins.Program), hex.EncodeToString(ins.Data), strings.Join(accounts, ", "))
}

// name says whose account it is.
func (c *conservation) name(key signing.PublicKey) string {
	k := solana.PublicKey(key)
	if h, ok := c.world.exchange.holders[k]; ok {
		whose := "another's"
		if h.wallet == c.owner {
			whose = "the owner's"
		}
		return fmt.Sprintf("%.4s(%s %.4s)", k, whose, h.mint)
	}
	switch {
	case k == c.owner:
		return "owner"
	case k == c.world.exchange.id:
		return "EXCHANGE"
	case k == c.world.exchange.pool:
		return "pool"
	}
	if name := signing.ProgramName(key); name != key.String() {
		return name
	}
	return fmt.Sprintf("%.4s", k)
}
