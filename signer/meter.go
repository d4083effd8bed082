package signer

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/spendwindow"
	"github.com/walletfi/walletfi-go/signing"
)

// taken adds up how much a transaction takes of a mint.
type taken struct{ amount, cost, exposure uint64 }

// meter measures one transaction by what one node showed.
type meter struct {
	policy   *Policy
	owner    *Owner
	report   *signing.Report
	tx       *signing.Transaction
	accounts []signing.PublicKey

	taken   map[Mint]*taken
	payees  []Debit
	grade   Grade
	ours    []string
	rescues bool // something goes to a rescue address
	strays  bool // something else than the network fee does not
	fees    Fees
	paid    []string
}

func (m *meter) of(mint signing.PublicKey) *taken {
	name := Mint(mint.String())
	if m.taken[name] == nil {
		m.taken[name] = &taken{}
	}
	return m.taken[name]
}

func (m *meter) run(simulations []shown) *signing.SetRefusal {
	m.grade = GradeBytes
	for i := range m.report.Leaves {
		if refusal := m.movement(&m.report.Leaves[i]); refusal != nil {
			return refusal
		}
	}
	fee := m.of(signing.NativeMint)
	m.fees.Network = most(uint64(m.report.NetworkFeeLamports()))
	fee.amount = spendwindow.Add(fee.amount, uint64(m.report.NetworkFeeLamports()))
	fee.cost = spendwindow.Add(fee.cost, uint64(m.report.NetworkFeeLamports()))
	for mint, amount := range m.decreases(simulations) {
		m.of(mint).amount = max(m.of(mint).amount, amount)
	}
	if len(m.report.Reaches) == 0 {
		return nil
	}
	m.strays = true
	m.grade = GradeSimulation
	if !m.report.Simulated || len(m.report.Blind) > 0 || m.report.Untold || !m.released() {
		m.grade = GradeBlind
		service := m.policy.service(m.report.Service)
		if service == nil || !service.Blind {
			return refuse("guard."+string(signing.RuleBlind),
				"not all that the called programs can do is shown or pinned, and service %q is not blind", m.report.Service)
		}
	}
	return m.reach()
}

// movement counts what leaves by one movement, and holds its receiver against the policy.
func (m *meter) movement(x *signing.Movement) *signing.SetRefusal {
	t := m.of(x.Mint)
	t.amount = spendwindow.Add(t.amount, uint64(x.Amount))
	within := func(k signing.PublicKey) bool { return !x.Hidden && (k == x.To || k == x.Wallet) }
	rescue := slices.IndexFunc(m.policy.Rescue, within)
	switch x.CountsAs {
	case signing.CountsAsTip, signing.CountsAsRent, signing.CountsAsForeignRent:
		t.cost = spendwindow.Add(t.cost, uint64(x.Amount))
		*map[signing.Counts]*int64{
			signing.CountsAsTip: &m.fees.Tip, signing.CountsAsRent: &m.fees.Rent,
			signing.CountsAsForeignRent: &m.fees.ForeignRent,
		}[x.CountsAs] += most(uint64(x.Amount))
		m.strays = m.strays || x.CountsAs != signing.CountsAsForeignRent || rescue < 0
		return nil
	case signing.CountsAsBurn:
		m.strays = true
		return nil
	}
	if x.Simulated { // a program's own transfer: its pin names whom it pays
		return nil
	}
	m.rescues, m.strays = m.rescues || rescue >= 0, m.strays || rescue < 0
	if rescue >= 0 {
		m.paid = union(m.paid, []string{m.policy.Rescue[rescue].String()})
		return nil
	}
	if fee := slices.IndexFunc(m.policy.FeeReceivers, within); fee >= 0 && x.CountsAs == signing.CountsAsFee {
		m.paid = union(m.paid, []string{m.policy.FeeReceivers[fee].String()})
		return nil
	}
	for i := range m.policy.Payees {
		payee := &m.policy.Payees[i]
		if within(payee.Address) {
			m.pays(payee, x)
			return nil
		}
	}
	return refuse(CodePayee, "%d of %s go to %s, which is not a payee of the policy",
		x.Amount, Mint(x.Mint.String()), x.To)
}

// pays counts a movement under the ceilings of a payee.
func (m *meter) pays(payee *Payee, x *signing.Movement) {
	m.paid = union(m.paid, []string{payee.Address.String()})
	if len(payee.Ceilings) == 0 {
		return
	}
	mint, address := Mint(x.Mint.String()), payee.Address.String()
	if d := first(m.payees, func(d Debit) bool { return d.Mint == mint && d.Payee == address }); d != nil {
		d.Amount = most(spendwindow.Add(uint64(d.Amount), uint64(x.Amount)))
		return
	}
	m.payees = append(m.payees, Debit{Mint: mint, Payee: address, Amount: most(uint64(x.Amount))})
}

// decreases is by how much simulations have the accounts of the policy's keys decrease. What
// one account of a mint gains does not hide what another one loses, but that SOL may be wrapped.
func (m *meter) decreases(simulations []shown) map[signing.PublicKey]uint64 {
	out := map[signing.PublicKey]uint64{}
	var before, after uint64 // lamports of the owners, wrapped or not
	for _, s := range simulations {
		for i, account := range s.accounts {
			if i >= len(s.out.Before) || i >= len(s.out.After) {
				break
			}
			was, is := s.out.Before[i], s.out.After[i]
			token, isToken := was.Token()
			if owner := m.policy.owner(account.String()); owner != nil && !isToken {
				before, after = spendwindow.Add(before, uint64(was.Lamports)), spendwindow.Add(after, uint64(is.Lamports))
				continue
			}
			if !isToken || m.policy.owner(token.Owner.String()) == nil {
				continue
			}
			left, still := is.Token()
			if !still || left.Owner != token.Owner || left.Mint != token.Mint {
				left.Amount = 0
			}
			if token.Mint == signing.NativeMint || token.Mint == signing.NativeMintToken2022 {
				before = spendwindow.Add(before, uint64(token.Amount))
				after = spendwindow.Add(after, uint64(left.Amount))
				continue
			}
			if token.Amount > left.Amount {
				out[token.Mint] = spendwindow.Add(out[token.Mint], uint64(token.Amount-left.Amount))
			}
		}
	}
	if before > after {
		out[signing.NativeMint] = before - after
	}
	return out
}

// released reports that every call of a pinned program names ours where it releases what the
// program holds.
func (m *meter) released() bool {
	for _, ins := range m.tx.Instructions() {
		called := false
		for _, pin := range m.policy.pinsOf(m.report.Service) {
			if pin.Program != ins.Program {
				continue
			}
			called = true
			if pin.matches(ins.Data) && pin.MustBeOurs != nil && m.oursAt(ins.Accounts, *pin.MustBeOurs) {
				called = false
				break
			}
		}
		if called {
			return false
		}
	}
	return true
}

// pins are what the calls of the transaction, and of those in turn, are made by.
func (m *meter) pins() (all []string) {
	service := m.policy.service(m.report.Service)
	if service == nil {
		return nil
	}
	for _, pin := range service.Pins {
		for _, r := range m.report.Reaches {
			if slices.Contains(r.Within, pin.Program) {
				all = union(all, service.calls(pin, nil))
			}
		}
		for _, ins := range m.tx.Instructions() {
			if ins.Program == pin.Program {
				all = union(all, service.calls(pin, append([]byte{}, ins.Data...)))
			}
		}
	}
	return all
}

// roles are what a pin may name.
var roles = []signing.Role{
	signing.OwnerWallet, signing.SpentAccount, signing.ReceivedAccount, signing.MadeAccount,
	signing.NamedAccount, signing.AnyAccount,
}

func (p *Pin) matches(data []byte) bool {
	return p.Instructions == nil || slices.ContainsFunc(p.discriminators(), func(d signing.Discriminator) bool {
		return len(data) >= len(d) && string(data[:len(d)]) == string(d)
	})
}

func (m *meter) oursAt(accounts []uint8, positions []int) bool {
	ours := m.owner.accounts()
	return !slices.ContainsFunc(positions, func(at int) bool {
		return at >= len(accounts) || int(accounts[at]) >= len(m.accounts) ||
			!slices.Contains(ours, m.accounts[accounts[at]])
	})
}

// reach counts all that the called programs may write of ours.
func (m *meter) reach() *signing.SetRefusal {
	for _, r := range m.report.Reaches {
		if r.Unknown > 0 || r.Unshown > 0 {
			return refuse(CodeReach, "it is not shown whose %d accounts are that %s may write", r.Unknown+r.Unshown, r.Program)
		}
		for _, k := range r.Ours {
			if text := k.String(); !slices.Contains(m.ours, text) {
				m.ours = append(m.ours, text)
			}
		}
	}
	for _, account := range m.ours {
		held := first(m.report.Holds, func(h signing.Holding) bool { return h.Account.String() == account })
		if held == nil {
			return refuse(CodeReach, "it is not shown what %s holds, which a program may write", account)
		}
		mint := held.Mint
		if mint.IsZero() { // a program's account: what it holds besides its lamports counts as spent already
			mint = signing.NativeMint
		}
		m.of(mint).exposure = spendwindow.Add(m.of(mint).exposure, uint64(held.Amount))
	}
	return nil
}

func (m *meter) message() *Message {
	out := &Message{
		Grade: m.grade, ours: m.ours, rescues: m.rescues && !m.strays, fees: m.fees, calls: m.calls(), paid: m.paid,
		pins: m.pins(), trade: m.trade(), Debits: m.payees,
	}
	for mint, t := range m.taken {
		if *t == (taken{}) {
			continue
		}
		out.Debits = append(out.Debits, Debit{
			Mint: mint, Amount: most(t.amount), Cost: most(t.cost), Exposure: most(t.exposure),
		})
	}
	slices.SortFunc(out.Debits, func(a, b Debit) int {
		return slices.Compare([]string{string(a.Mint), a.Payee}, []string{string(b.Mint), b.Payee})
	})
	return out
}
