package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet"
)

// stateMeanings say what a state means for who reads it.
var stateMeanings = map[wallet.KeyState]string{
	wallet.KeyClaimed:   "being checked and signed; nothing is signed for good",
	wallet.KeySigned:    "signed; nothing has left",
	wallet.KeySent:      "the bytes may have left",
	wallet.KeyInDoubt:   "it was sent, and only the ledger can tell what became of it",
	wallet.KeyConfirmed: "executed with success",
	wallet.KeyFailed:    "executed with an error",
	wallet.KeyExpired:   "it can never be executed",
	wallet.KeyReleased:  "nothing has left, and nothing will",
}

// page is where an entry is shown. What a service or a node wrote cannot steer the
// terminal.
type page struct{ io.Writer }

// line writes a value with its name; without a value, nothing.
func (p page) line(indent int, name, format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = plain(text)
		}
	}
	if text := fmt.Sprintf(format, args...); text != "" {
		fmt.Fprintf(p, "%*s%-*s %s\n", indent, "", 11-indent, name, text)
	}
}

// plain keeps a text to one line.
func plain(text string) string { return oneLine(errors.New(text)) }

func timeOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// keyOf is the caller's key of an entry, or its own if the caller gave none.
func keyOf(e wallet.Entry) string {
	if e.Derived {
		return e.Key
	}
	return strings.TrimPrefix(e.Key, "key:")
}

func showEntry(out io.Writer, e wallet.Entry) {
	p := page{out}
	if e.Ledger != nil {
		p.ledger(*e.Ledger)
		return
	}
	if e.Spend != nil {
		p.spend(*e.Spend)
		return
	}
	p.line(0, "key", "%s", keyOf(e))
	p.line(0, "state", "%s: %s", string(e.State), stateMeanings[e.State])
	p.line(0, "since", "%s", timeOf(e.Since))
	if e.Holder != "" {
		p.line(0, "holder", "%s", e.Holder)
	}
	p.line(0, "version", "%d, schema %d", e.Version, e.Schema)
	p.intent(e.Asked)
	if e.Bundle {
		p.line(0, "bundle", "the transactions are sent together")
	}
	if !e.SignedAt.IsZero() {
		p.line(0, "signed", "%s", timeOf(e.SignedAt))
	}
	if given := e.Prepared; given != nil {
		p.line(0, "prepared", "to be signed elsewhere, with the report %s", given.Digest)
		if !given.Submitted.IsZero() {
			p.line(0, "submitted", "%s", timeOf(given.Submitted))
		}
		if !given.Declined.IsZero() {
			p.line(0, "declined", "%s, which proves nothing", timeOf(given.Declined))
		}
	}
	for _, signature := range e.Overridden {
		p.line(0, "overridden", "%s was in doubt, and the payment was forced", signature)
	}
	p.steps(e)
	p.order(e)
}

func (p page) steps(e wallet.Entry) {
	for i, s := range e.Steps {
		fmt.Fprintf(p, "\ntransaction %d of %d\n", i+1, len(e.Steps))
		p.step(s, e.Prepared != nil)
	}
}

func (p page) ledger(l wallet.Ledger) {
	p.line(0, "genesis", "%s", l.Genesis)
	p.line(0, "final", "%s", headOf(l.Final))
	for _, r := range l.Resets {
		p.line(0, "reset", "%s by %s, from %s: %s", timeOf(r.At), r.By, headOf(r.Was), r.Reason)
	}
}

// spend writes what counts under the limits.
func (p page) spend(s wallet.Spend) {
	p.line(0, "time", "%s", timeOf(s.Time))
	for _, d := range s.Open {
		for _, t := range d.Takes {
			p.line(0, "open", "%d of %s by %s", t.Amount, t.Mint, strings.TrimPrefix(d.Key, "key:"))
		}
	}
	for _, mint := range slices.Sorted(maps.Keys(s.Landed)) {
		for _, l := range s.Landed[mint] {
			p.line(0, "landed", "%d of %s, counted from %s", l.Amount, mint, timeOf(time.UnixMilli(l.At)))
		}
	}
}

// intent writes what was asked for, and what the transactions may move.
func (p page) intent(i walletfi.Intent) {
	p.line(0, "service", "%s", i.Service)
	p.line(0, "owner", "%s", i.Owner)
	for _, field := range slices.Sorted(maps.Keys(i.Asked)) {
		p.line(0, "asked", "%s: %s", field, i.Asked[field])
	}
	for _, list := range []struct {
		name   string
		assets []walletfi.Asset
	}{{"spend", i.Spend}, {"burn", i.Burn}, {"receive", i.Receive}, {"fee", i.ServiceFee}} {
		for _, a := range list.assets {
			p.line(0, list.name, "%d of %s", a.Amount, a.Mint)
		}
	}
	for _, list := range []struct {
		name      string
		addresses []string
	}{{"burn all", i.BurnAll}, {"pay to", i.PayTo}, {"output to", i.OutputTo}} {
		for _, address := range list.addresses {
			p.line(0, list.name, "%s", address)
		}
	}
	if i.TipLamports > 0 {
		p.line(0, "tip", "%d lamports", i.TipLamports)
	}
	p.line(0, "sponsor", "%s", i.Sponsor)
}

// step writes a step, of what was given away to be signed or not.
func (p page) step(s wallet.EntryStep, away bool) {
	p.line(2, "state", "%s: %s", string(s.State), stateMeanings[s.State])
	switch {
	case s.Signature != "":
		p.line(2, "signature", "%s", s.Signature)
	case away:
		p.line(2, "signature", "not known: it was given away to be signed")
	default:
		p.line(2, "signature", "not known: a sponsor signs last")
	}
	switch {
	case away:
		p.line(2, "message", "%s, by its SHA-256", s.Own)
	case s.Own != s.Signature:
		p.line(2, "own", "%s, the owner's signature", s.Own)
	}
	if s.InPlaceOf > 0 {
		p.line(2, "instead of", "transaction %d, which the owner's wallet changed", s.InPlaceOf)
	}
	if s.Yields {
		p.line(2, "yields", "another key had the message when it came back, so that it was not sent")
	}
	p.line(2, "blockhash", "%s", s.Blockhash)
	if s.NonceAccount != "" {
		p.line(2, "nonce", "that is the value of %s", s.NonceAccount)
	}
	if s.Last > 0 {
		p.line(2, "last", "block height %d, by the service's word", s.Last)
	}
	p.line(2, "given to", "%s", strings.Join(s.Doors, ", "))
	if s.Slot > 0 {
		p.line(2, "executed", "in slot %d", s.Slot)
	}
	p.line(2, "error", "%s", s.Err)
	p.evidence(s)
}

// evidence writes who said what at which slot, and what follows from it.
func (p page) evidence(s wallet.EntryStep) {
	e := s.Evidence
	if e == nil {
		e = &walletfi.Evidence{}
	}
	if e.After.Slot > 0 {
		sure := "shown to be final before it was signed"
		if e.Unsure {
			sure = "told before it was signed, and not yet shown to be final"
		}
		p.line(2, "after", "%s, %s", headOf(e.After), sure)
	}
	var nodes []string
	for i, n := range e.Nodes {
		nodes = append(nodes, n.Node)
		p.line(2, fmt.Sprintf("node %d", i+1), "%s", n.Node)
		p.node(n)
	}
	if v := e.Vouched; v != nil {
		p.line(2, "vouched", "%s by %s: %s", timeOf(v.At), v.By, v.Reason)
	}
	if s.State != wallet.KeySent && s.State != wallet.KeyInDoubt && s.State != wallet.KeyExpired {
		return
	}
	dead, missing := proof.Dead(e, nodes)
	if s.NonceAccount != "" {
		dead, missing = proof.DeadNonce(e, nodes)
	} else if last, known := proof.Last(e, nodes); known {
		p.line(2, "ends", "block height %d is the last that can hold it", last)
	}
	switch {
	case len(nodes) == 0 && e.Vouched == nil:
		p.line(2, "missing", "no node has shown anything yet")
	case dead:
		p.line(2, "proof", "a majority of these nodes have shown that it can never be executed")
	case s.State != wallet.KeyExpired:
		p.line(2, "missing", "%s", missing)
	}
}

func (p page) node(n walletfi.NodeEvidence) {
	if n.Block.Slot > 0 {
		p.line(4, "block", "the blockhash is of %s", headOf(n.Block))
	} else if n.Seen > 0 {
		p.line(4, "valid", "the blockhash, seen at slot %d: its block has height %d at most", n.Seen, n.Bound)
	}
	if n.Age > 0 {
		p.line(4, "age", "a blockhash lasts %d blocks", n.Age)
	}
	if n.Held.Slot > 0 {
		p.line(4, "held", "the nonce had the value in %s", headOf(n.Held))
	}
	if n.Gone.Slot > 0 {
		p.line(4, "gone", "from finalized %s on it is not good any more", headOf(n.Gone))
	}
	if n.UsedBy != "" {
		p.line(4, "used", "the nonce was used by %s", n.UsedBy)
	}
	for _, null := range n.Nulls {
		p.line(4, "absent", "at slot %d, %d witnesses from %s to %s known; final was slot %d",
			null.AsOfSlot, null.Witnesses, headOf(null.From), headOf(null.To), null.Final)
	}
	if n.Missing != "" {
		p.line(4, "lacks", "%s", n.Missing)
	}
}

// order writes how an order ended that the service fills later.
func (p page) order(e wallet.Entry) {
	switch {
	case e.End != nil:
		fmt.Fprintln(p)
		p.line(0, "order", "ended %s, filled %t", e.End.State, e.End.Filled)
		for _, f := range e.End.Fills {
			p.line(0, "fill", "%s, in %d, out %d", f.Signature, f.InAmount, f.OutAmount)
		}
	case e.FilledLater:
		fmt.Fprintln(p)
		p.line(0, "order", "the service fills it later; how that ended is not known yet")
	}
	for _, s := range e.Short {
		p.line(0, "short", "%d of %s arrived, %d were asked for", s.Arrived, s.Mint, s.Asked)
	}
}

func headOf(h walletfi.Head) string { return fmt.Sprintf("slot %d, height %d", h.Slot, h.Height) }
