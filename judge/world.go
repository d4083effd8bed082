package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
)

// world is the two ledgers, which hold the same of every address that a case uses.
type world struct {
	box       *box
	runtime   *runtime
	blockhash string
}

func newWorld(folder string) (*world, error) {
	b, err := startBox(1)
	if err != nil {
		return nil, err
	}
	r, err := startRuntime(folder)
	if err != nil {
		b.Close()
		return nil, err
	}
	w := &world{box: b, runtime: r}
	if w.blockhash, err = b.blockhash(); err == nil {
		err = r.clock("open", b.Sandbox, w.blockhash)
	}
	if err == nil && b.account(voteAccount) == nil {
		err = errors.New("the sandbox's validator votes elsewhere")
	}
	if err == nil {
		err = w.set(voteAccount)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) close() {
	w.runtime.close()
	w.box.Close()
}

// set gives the runtime the sandbox's accounts. One without lamports is none.
func (w *world) set(keys ...key) error {
	var all []*account
	for _, k := range keys {
		a := w.box.account(k)
		if a == nil {
			a = &account{Key: k.String(), Owner: systemProgram.String()}
		}
		all = append(all, a)
	}
	return w.runtime.ask(map[string]any{"op": "set", "accounts": all}, &struct{}{})
}

func (w *world) wait(slots int) error {
	w.box.Advance(slotTime * time.Duration(slots))
	var err error
	if w.blockhash, err = w.box.blockhash(); err != nil {
		return err
	}
	return w.runtime.clock("clock", w.box.Sandbox, w.blockhash)
}

// outcome is how one transaction went in both.
type outcome struct {
	trial            trial
	runtime, sandbox verdict
	class            string // how they differ, empty if they agree
	setup            string // the instruction of the setup that did not run, if it came to that
	all              []ins
	detail           string
}

// execute has both ledgers execute the bytes and compares them, with the accounts at keys.
func (w *world) execute(wire []byte, keys []key) (outcome, error) {
	var o outcome
	names := make([]string, len(keys))
	for n, k := range keys {
		names[n] = k.String()
	}
	err := w.runtime.ask(map[string]any{
		"op": "send", "tx": base64.StdEncoding.EncodeToString(wire), "keys": names,
	}, &o.runtime)
	gone := errors.Is(err, errGone)
	if gone || o.runtime.err() == `"SanitizeFailure"` {
		o.runtime.Error, err = malformed, nil
	}
	if err != nil {
		return o, err
	}
	if o.sandbox, err = w.box.send(wire, signatureOf(wire)); err != nil {
		return o, err
	}
	for _, k := range keys {
		o.sandbox.Accounts = append(o.sandbox.Accounts, w.box.account(k))
	}
	o.compare()
	if gone {
		return o, errGone
	}
	return o, nil
}

func (o *outcome) compare() {
	r, s := o.runtime, o.sandbox
	said := func(v verdict) string {
		switch {
		case v.err() == "null":
			return "runs"
		case v.Landed:
			return "fails with " + plain(v.err())
		}
		return "is refused with " + plain(v.err())
	}
	if said(r) != said(s) {
		o.class = fmt.Sprintf("in the runtime it %s, in the sandbox it %s", said(r), said(s))
		return
	}
	// A refused transaction changes nothing, and the process that refused may be gone.
	for n := range r.Accounts {
		if field, detail := differ(r.Accounts[n], s.Accounts[n]); field != "" {
			o.class = fmt.Sprintf("both: it %s, but %s", said(r), field)
			o.detail = detail
			return
		}
	}
}

// plain is an error's JSON with one spelling.
func plain(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// differ says in which field two accounts differ.
func differ(r, s *account) (field, detail string) {
	if r == nil && s == nil {
		return "", ""
	}
	if r == nil || s == nil {
		if r == nil {
			return "an account is left in the sandbox only", fmt.Sprintf("%+v", *s)
		}
		return "an account is left in the runtime only", fmt.Sprintf("%+v", *r)
	}
	detail = fmt.Sprintf("%s\n  runtime %d %s %x\n  sandbox %d %s %x",
		r.Key, r.Lamports, r.Owner, r.Data, s.Lamports, s.Owner, s.Data)
	switch {
	case r.Lamports != s.Lamports:
		return "lamports differ", detail
	case r.Owner != s.Owner:
		return "an owner differs", detail
	case len(r.Data) != len(s.Data):
		return fmt.Sprintf("data has %d bytes in the runtime and %d in the sandbox", len(r.Data), len(s.Data)), detail
	case !bytes.Equal(r.Data, s.Data):
		first, end := apart(r.Data, s.Data)
		return fmt.Sprintf("data differs in bytes %d to %d of %d", first, end, len(r.Data)), detail
	}
	return "", ""
}

// apart is where data of one length differ, in words of eight bytes.
func apart(a, b []byte) (first, end int) {
	first = -1
	for n := range a {
		if a[n] != b[n] {
			if first < 0 {
				first = n / 8 * 8
			}
			end = min(n/8*8+8, len(a))
		}
	}
	return first, end
}

// judge runs one case in both.
func (w *world) judge(t trial) (outcome, error) {
	s, p, fits := t.build(w.box.Ledger().Slot())
	if !fits {
		return outcome{}, errors.New("the breakage does not fit")
	}
	o, err := w.judged(&t, s, p)
	o.trial = t
	return o, err
}

func (w *world) judged(t *trial, s *scene, p *probe) (outcome, error) {
	funded := []key{nativeMint, nativeMint2022} // an earlier case may have left them different
	for _, f := range s.funds {
		if err := w.box.Ledger().FundWallet(f.key.String(), f.lamports); err != nil {
			return outcome{}, err
		}
		funded = append(funded, f.key)
	}
	if err := w.set(funded...); err != nil {
		return outcome{}, err
	}
	if o, ended, err := w.prepare(s); ended || err != nil {
		return o, err
	}
	return w.probe(t, s, p)
}

// prepare runs the setup, and ends where the two differ or an instruction fails.
func (w *world) prepare(s *scene) (o outcome, ended bool, err error) {
	for _, part := range pack(s) {
		if part.slots > 0 {
			if err := w.wait(part.slots); err != nil {
				return outcome{}, true, err
			}
			continue
		}
		hash, err := solana.HashFromBase58(w.blockhash)
		if err != nil {
			return outcome{}, true, err
		}
		m := compile(s.payer, [32]byte(hash), legacy, table{}, part.all)
		o, err := w.execute(m.sign(s.keys), compared(s, part.all))
		if err != nil || o.class != "" || o.runtime.err() != "null" {
			o.setup, o.all = failing(o, part.all), part.all
			return o, true, err
		}
	}
	return outcome{}, false, nil
}

// probe executes the transaction that the case is about.
func (w *world) probe(t *trial, s *scene, p *probe) (outcome, error) {
	all := p.kept(t.without)
	hash, err := w.lifetime(s)
	if err != nil {
		return outcome{}, err
	}
	m := compile(p.payer, hash, p.format, s.table, all)
	if p.message != nil {
		p.message(&m)
	}
	wire := m.sign(s.keys)
	if p.wire != nil {
		wire = p.wire(wire)
	}
	if p.twice {
		if o, err := w.execute(wire, compared(s, all)); err != nil || o.class != "" {
			o.all = all
			return o, err
		}
	}
	o, err := w.execute(wire, compared(s, all))
	o.all = all
	return o, err
}

// lifetime is the blockhash of the probe: the latest, or the value of its nonce.
func (w *world) lifetime(s *scene) ([32]byte, error) {
	if s.nonce != nil {
		if a := w.box.account(*s.nonce); a != nil && len(a.Data) == nonceSize {
			return [32]byte(a.Data[40:72]), nil
		}
	}
	hash, err := solana.HashFromBase58(w.blockhash)
	return [32]byte(hash), err
}

// compared are the addresses whose accounts are compared: no programs and no sysvars, which
// LiteSVM has and the sandbox does not.
func compared(s *scene, all []ins) []key {
	out := slices.Clone(s.order)
	for _, i := range all {
		for _, m := range i.metas {
			out = append(out, m.key)
		}
	}
	slices.SortFunc(out, func(a, b key) int { return bytes.Compare(a[:], b[:]) })
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(k key) bool {
		return slices.Contains(builtin, k) || strings.HasPrefix(k.String(), "Sysvar")
	})
}

var builtin = []key{systemProgram, tokenProgram, token2022, ataProgram, memo1, memo, budget, ed25519Program,
	secp256k1, secp256r1, lookupProgram, stakeProgram, stakeConfig, voteAccount}

// part is a transaction of the setup, or slots that pass.
type part struct {
	all   []ins
	slots int
}

// pack puts the steps into as few transactions as they fit.
func pack(s *scene) []part {
	var parts []part
	var open []ins
	end := func() {
		if len(open) > 0 {
			parts = append(parts, part{all: open})
		}
		open = nil
	}
	for _, st := range s.steps {
		if st.slots > 0 {
			end()
			parts = append(parts, part{slots: st.slots})
			continue
		}
		next := append(slices.Clone(open), st.ins)
		if len(compile(s.payer, [32]byte{}, legacy, table{}, next).sign(nil)) > 1232 {
			end()
			next = []ins{st.ins}
		}
		open = next
	}
	end()
	return parts
}

// failing is the instruction of a setup that one of the two did not take.
func failing(o outcome, all []ins) string {
	for _, v := range []verdict{o.runtime, o.sandbox} {
		if n, ok := failedAt(v); ok && n < len(all) {
			return all[n].name
		}
	}
	var names []string
	for _, i := range all {
		names = append(names, i.name)
	}
	return strings.Join(slices.Compact(names), ", ")
}

// failedAt is which instruction an error names.
func failedAt(v verdict) (at int, ok bool) {
	var e struct{ InstructionError []any }
	if json.Unmarshal(v.Error, &e) != nil || len(e.InstructionError) != 2 {
		return 0, false
	}
	n, ok := e.InstructionError[0].(float64)
	return int(n), ok
}
