package signer

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// report judges a request by the policy, for the log, and then by what its intent asks for, by
// which it is signed.
func (s *Signer) report(ctx context.Context, q *request) error {
	if refusal, ok := errors.AsType[*signing.SetRefusal](s.judge(ctx, q)); ok {
		q.would = refusal.Code + ": " + refusal.Text
	}
	q.asked = s.Policy().asks(&q.Unsigned)
	q.messages, q.intent = nil, q.asked.narrowed(q.Unsigned.Intent)
	err := s.assessAll(ctx, q)
	service := &q.asked.Services[0]
	service.Pins = nil
	q.asked.Fees = Fees{}
	for _, m := range q.messages {
		service.add(m.calls)
		q.asked.Fees = q.asked.Fees.orMore(m.fees)
	}
	return err
}

// asks is a policy of the lists that an intent asks for, and of what its transactions call.
func (p *Policy) asks(u *walletfi.Unsigned) *Policy {
	keys := func(texts ...string) (all []signing.PublicKey) {
		for _, text := range texts {
			if k, err := signing.ParsePublicKey(text); err == nil && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
		return all
	}
	in := &u.Intent
	a := &Policy{
		ReportOnly: true, byKey: p.byKey, FeeReceivers: keys(in.FeeTo...), CoSigners: keys(in.CoSigners...),
		Sponsors: keys(in.Sponsor), Services: []Service{{Name: in.Service, Blind: true}},
		Fees: Fees{signing.DefaultMaxNetworkFeeLamports, none, signing.DefaultMaxRentLamports, none},
	}
	for _, k := range keys(slices.Concat(in.PayTo, in.OutputTo)...) {
		a.Payees = append(a.Payees, Payee{Name: k.String()[:8], Address: k})
	}
	for _, encoded := range u.Transactions {
		tx, err := signing.Decode(encoded)
		if err != nil {
			continue // assess refuses it
		}
		for _, ins := range tx.Instructions() { // the guard's own rules cover what it has a name for alone
			if id := ins.Program.String(); strings.Contains(signing.ProgramName(ins.Program), id) {
				a.Services[0].add([]Pin{{Program: ins.Program, MayWrite: roles[:len(roles)-1]}})
			}
		}
	}
	return a
}

// calls are the pins that a transaction's calls of programs would need.
func (m *meter) calls() (all []Pin) {
	for _, r := range m.report.Reaches {
		pin := Pin{Program: r.Program, MayWrite: r.Roles}
		for i, ins := range m.tx.Instructions() {
			if i == r.Instruction && len(ins.Data) > 0 {
				pin.Instructions = []string{hex.EncodeToString(ins.Data[:min(len(ins.Data), 8)])}
			}
		}
		all = append(all, pin)
	}
	return all
}

// add takes in pins, one for each program.
func (s *Service) add(pins []Pin) {
	for _, pin := range pins {
		if has := first(s.Pins, func(x Pin) bool { return x.Program == pin.Program }); has != nil {
			has.Instructions = union(has.Instructions, pin.Instructions)
			has.MayWrite = union(has.MayWrite, pin.MayWrite)
		} else {
			s.Pins = append(s.Pins, pin)
		}
	}
}

// orMore is the greater of each fee.
func (f Fees) orMore(g Fees) Fees {
	return Fees{
		max(f.Network, g.Network), max(f.Tip, g.Tip), max(f.Rent, g.Rent), max(f.ForeignRent, g.ForeignRent),
	}
}

func union[T comparable](all, more []T) []T {
	for _, x := range more {
		if !slices.Contains(all, x) {
			all = append(slices.Clip(all), x)
		}
	}
	return all
}

// spend is one debit of a mint.
type spend struct {
	at time.Time
	Debit
}

// Suggest proposes the text of a policy from the log of a signer in report-only mode: p with what
// the requests asked for that it signed, and ceilings a margin, in percent, above the most that
// the owners of p spent. A client that was hostile in that time has it allow what he took: a
// person must read it.
func (p *Policy) Suggest(log []Entry, margin int64) (string, error) {
	next := *p
	next.ReportOnly, next.Fees = false, Fees{}
	next.Owners, next.Clients = slices.Clone(p.Owners), slices.Clone(p.Clients)
	next.Services, next.Payees = slices.Clone(p.Services), slices.Clone(p.Payees)
	spends, n := map[string]map[Mint][]spend{}, 0
	for _, e := range log {
		var body signEntry
		if e.Kind != "sign" {
			continue
		}
		if err := json.Unmarshal(e.Body, &body); err != nil {
			return "", fmt.Errorf("signer: entry %d: %w", e.Seq, err)
		}
		if body.Asked == nil {
			continue
		}
		n++
		next.allow(body.Asked, e.Client)
		if spends[body.Owner] == nil {
			spends[body.Owner] = map[Mint][]spend{}
		}
		for _, m := range body.Messages {
			for _, d := range m.Debits {
				spends[body.Owner][d.Mint] = append(spends[body.Owner][d.Mint], spend{e.At, d})
			}
		}
	}
	beyond := func(amount int64) int64 { return amount + share(amount, margin) }
	next.Fees.Network, next.Fees.Tip = beyond(next.Fees.Network), beyond(next.Fees.Tip)
	for i := range next.Owners {
		o := &next.Owners[i]
		o.Ceilings, o.Exposure = nil, nil
		for _, mint := range slices.Sorted(maps.Keys(spends[o.Name])) {
			c, exposed := bounding(mint, spends[o.Name][mint], beyond)
			o.Ceilings = append(o.Ceilings, c)
			if exposed > 0 {
				o.Exposure = append(o.Exposure, Exposure{mint, exposed})
			}
		}
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Suggested of %d requests that were signed without ceilings: read each line.\n", n)
	err := toml.NewEncoder(&text).Encode(next)
	return strings.ReplaceAll(text.String(), string(walletfi.NativeMint), "SOL"), err
}

// allow adds what a client asked for.
func (p *Policy) allow(asked *Policy, client string) {
	p.Fees = p.Fees.orMore(asked.Fees)
	p.FeeReceivers = union(p.FeeReceivers, asked.FeeReceivers)
	p.CoSigners, p.Sponsors = union(p.CoSigners, asked.CoSigners), union(p.Sponsors, asked.Sponsors)
	for _, x := range asked.Payees {
		if p.payee(x.Address.String()) == nil {
			p.Payees = append(p.Payees, x)
		}
	}
	for _, s := range asked.Services {
		if c := first(p.Clients, func(c Client) bool { return c.Name == client }); c != nil {
			c.Services = union(c.Services, []string{s.Name})
		}
		if has := p.service(s.Name); has != nil {
			has.add(s.Pins)
		} else if len(s.Pins) > 0 {
			p.Services = append(p.Services, s)
		}
	}
}

// bounding is the ceiling of debits that are in the order of time, and the exposure of each.
func bounding(mint Mint, all []spend, beyond func(int64) int64) (c Ceiling, exposed int64) {
	c.Mint = mint
	for _, d := range all {
		c.Transaction, exposed = max(c.Transaction, beyond(d.Amount)), max(exposed, beyond(d.Exposure))
	}
	for _, length := range []time.Duration{time.Hour, 24 * time.Hour} {
		var sum, most int64
		oldest := 0
		for _, d := range all {
			for sum += d.Amount; d.at.Sub(all[oldest].at) > length; oldest++ {
				sum -= all[oldest].Amount
			}
			most = max(most, sum)
		}
		c.Windows = append(c.Windows, Limit{Length: Duration(length), Most: beyond(most)})
	}
	return c, exposed
}
