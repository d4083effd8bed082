package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

const traceLong = `trace tells what happened to a payment, from the file of a wallet's journal: how it stands,
what was done when, each transaction with its signature and the evidence of the nodes, and
what to do next. It takes no lock, changes nothing and asks no node; a wallet may have the
file open. "journal show" has all of the entry, and with --json the signed bytes; trace
never has those.`

// next says what to do about a payment.
var next = map[wallet.KeyState]string{
	wallet.KeyClaimed:   "if no wallet works on it any more, place the same order with the same key again",
	wallet.KeySigned:    "place the same order with the same key again",
	wallet.KeySent:      "place the same order with the same key again: it asks, and pays nothing twice",
	wallet.KeyInDoubt:   "place the same order with the same key again, never with another: it pays nothing twice",
	wallet.KeyConfirmed: "nothing: it is paid",
	wallet.KeyFailed:    "find out why before you order again: only the fee is gone",
	wallet.KeyExpired:   "place the same order with the same key again: it was not paid",
	wallet.KeyReleased:  "place the same order with the same key again: it was not paid",
}

func newTrace(s streams) *cobra.Command {
	j := &journal{streams: s}
	cmd := &cobra.Command{
		Use: "trace KEY", Short: "Tell what happened to a payment, and what to do next", Long: traceLong,
		Example: "  walletfi trace order-42 --journal payments.journal\n" +
			"  WALLETFI_JOURNAL=payments.journal walletfi trace order-42 --json",
		Args: oneKey,
		RunE: func(cmd *cobra.Command, args []string) error {
			return j.entry(cmd.Context(), args[0], j.trace)
		},
	}
	j.flags(cmd)
	return cmd
}

// moment is something that was done about a payment.
type moment struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
}

// traced is the output of --json. Members may be added from version to version, and none is
// changed or removed.
type traced struct {
	Key          string              `json:"key"`
	State        wallet.KeyState     `json:"state"`
	Meaning      string              `json:"meaning"`
	Next         string              `json:"next"`
	Times        []moment            `json:"times"`
	Transactions []tracedTransaction `json:"transactions"`
}

type tracedTransaction struct {
	State     wallet.KeyState    `json:"state"`
	Signature string             `json:"signature,omitempty"`
	Slot      uint64             `json:"slot,omitempty"`
	Err       string             `json:"error,omitempty"`
	Evidence  *walletfi.Evidence `json:"evidence,omitempty"`
}

func traceOf(e wallet.Entry) traced {
	all := traced{
		Key: keyOf(e), State: e.State, Meaning: stateMeanings[e.State], Next: next[e.State], Times: timesOf(e),
		Transactions: []tracedTransaction{},
	}
	if e.State == wallet.KeyConfirmed && e.FilledLater && e.End == nil {
		all.Next = "wait: the service fills it later, and how that ended is not known yet"
	}
	for _, s := range e.Steps {
		all.Transactions = append(all.Transactions, tracedTransaction{s.State, s.Signature, s.Slot, s.Err, s.Evidence})
	}
	return all
}

// timesOf lists what has a time, the earliest first.
func timesOf(e wallet.Entry) []moment {
	all := []moment{{e.Since, "the key was claimed"}, {e.SignedAt, fmt.Sprintf("signed, transactions %d", len(e.Steps))}}
	if given := e.Prepared; given != nil {
		all = append(all, moment{given.Submitted, "what was signed elsewhere came back"},
			moment{given.Declined, "declined by the owner's wallet, which proves nothing"})
	}
	for i, s := range e.Steps {
		if s.Evidence != nil && s.Evidence.Vouched != nil {
			v := s.Evidence.Vouched
			all = append(all, moment{v.At, fmt.Sprintf("transaction %d: %s vouched for its state: %s", i+1, v.By, v.Reason)})
		}
	}
	all = slices.DeleteFunc(all, func(m moment) bool { return m.At.IsZero() })
	slices.SortStableFunc(all, func(a, b moment) int { return a.At.Compare(b.At) })
	return all
}

// trace shows an entry of a payment.
func (j *journal) trace(e wallet.Entry) error {
	if e.Ledger != nil || e.Spend != nil {
		return as(statusMalformed, fmt.Errorf("%q is no payment: walletfi journal show has it", keyOf(e)))
	}
	all := traceOf(e)
	if j.asJSON {
		return j.printJSON(all)
	}
	p := page{j.out}
	p.line(0, "key", "%s", all.Key)
	p.line(0, "state", "%s: %s", string(all.State), all.Meaning)
	p.line(0, "next", "%s", all.Next)
	for _, m := range all.Times {
		p.line(0, "time", "%s  %s", timeOf(m.At), m.What)
	}
	p.intent(e.Asked)
	p.steps(e)
	p.order(e)
	return nil
}

// entry has show print an entry.
func (j *journal) entry(ctx context.Context, key string, show func(wallet.Entry) error) error {
	reader, err := j.read()
	if err != nil {
		return err
	}
	defer reader.Close()
	e, err := reader.Load(ctx, key)
	if err == nil && e.Version == 0 {
		err = fmt.Errorf("%s does not have the key %q: walletfi journal list has its keys", j.path, key)
	}
	if err != nil {
		return as(statusMalformed, err)
	}
	return show(e)
}
