package signing_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// ledger runs the instructions of the System and token programs as the chain does, so that what an
// attempt shows follows from its calls. It checks amounts, and leaves authority to the attempt.
type ledger struct {
	accs
	err error
}

// pokes are what programs do to accounts of their own, without a call.
type pokes map[pk]state

func (l *ledger) fail(format string, a ...any) {
	if l.err == nil {
		l.err = fmt.Errorf(format, a...)
	}
}

func (l *ledger) pay(from, to pk, n uint64) {
	if uint64(l.accs[from].Lamports) < n {
		l.fail("%s has %d of %d lamports", from, l.accs[from].Lamports, n)
		return
	}
	l.change(from, func(s *state) { s.Lamports -= walletfi.Amount(n) })
	l.change(to, func(s *state) { s.Lamports += walletfi.Amount(n) })
}

func (l *ledger) change(k pk, f func(*state)) {
	s := l.accs[k]
	s.Data = bytes.Clone(s.Data)
	f(&s)
	if s.Lamports == 0 {
		s = state{}
	}
	l.accs[k] = s
}

func (l *ledger) data(k pk, f func(d []byte)) {
	if len(l.accs[k].Data) < 165 {
		l.fail("%s is no token account", k)
		return
	}
	l.change(k, func(s *state) { f(s.Data) })
}

func amountOf(s state) uint64 { return binary.LittleEndian.Uint64(s.Data[64:]) }

// add adds n, which may be negative.
func (l *ledger) add(k pk, n int64) {
	l.data(k, func(d []byte) {
		had := binary.LittleEndian.Uint64(d[64:])
		if n < 0 && had < uint64(-n) {
			l.fail("%s holds %d of %d", k, had, -n)
		}
		binary.LittleEndian.PutUint64(d[64:], had+uint64(n))
	})
}

func (l *ledger) move(from, to, by pk, n, withheld uint64) {
	l.add(from, -int64(n))
	l.add(to, int64(n-withheld))
	if l.err != nil {
		return
	}
	if pk(l.accs[from].Data[:32]) == signing.NativeMint {
		l.pay(from, to, n)
	}
	if d := l.accs[from].Data; d[72] == 1 && pk(d[76:108]) == by {
		l.data(from, func(d []byte) {
			binary.LittleEndian.PutUint64(d[121:], binary.LittleEndian.Uint64(d[121:])-n)
		})
	}
}

func (l *ledger) create(payer, made pk, lamports, space uint64, program pk) {
	if lamports > 0 {
		l.pay(payer, made, lamports)
	}
	l.change(made, func(s *state) { s.Owner, s.Data = program, make([]byte, space) })
}

func (l *ledger) do(i ins) {
	k := func(n int) pk { return i.Accounts[n].Key }
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(i.Data[at:]) }
	switch pk(i.Program) {
	case signing.SystemProgram:
		switch binary.LittleEndian.Uint32(i.Data) {
		case 0:
			l.create(k(0), k(1), u64(4), u64(12), pk(i.Data[20:52]))
		case 1:
			l.change(k(0), func(s *state) { s.Owner = pk(i.Data[4:36]) })
		case 2:
			l.pay(k(0), k(1), u64(4))
		case 8:
			l.change(k(0), func(s *state) { s.Data = make([]byte, u64(4)) })
		default:
		}
	case signing.AssociatedTokenProgram:
		if len(l.accs[k(1)].Data) > 0 {
			return
		}
		space := uint64(165)
		if k(5) == signing.Token2022Program {
			space = 170
		}
		l.create(k(0), k(1), 6960*(128+space), space, k(5))
		l.initialise(k(1), k(3), k(2))
	case signing.TokenProgram, signing.Token2022Program:
		l.token(i, k, u64)
	}
}

func (l *ledger) initialise(account, mint, owner pk) {
	l.change(account, func(s *state) {
		fresh := held(s.Owner, mint, owner, 0)
		copy(s.Data, fresh.Data)
		if len(s.Data) > 165 {
			s.Data[165] = 2
		}
		if mint == signing.NativeMint {
			binary.LittleEndian.PutUint64(s.Data[64:], uint64(s.Lamports-xRent))
			s.Data[109] = 1
			binary.LittleEndian.PutUint64(s.Data[113:], xRent)
		}
	})
}

func (l *ledger) token(i ins, k func(int) pk, u64 func(int) uint64) {
	switch i.Data[0] {
	case 3:
		l.move(k(0), k(1), k(2), u64(1), 0)
	case 12:
		l.move(k(0), k(2), k(3), u64(1), 0)
	case 26:
		l.move(k(0), k(2), k(3), u64(2), u64(11))
	case 4:
		l.data(k(0), delegateTo(k(1), u64(1)))
	case 13:
		l.data(k(0), delegateTo(k(2), u64(1)))
	case 5:
		l.data(k(0), func(d []byte) { clear(d[72:108]); clear(d[121:129]) })
	case 6:
		heir := pk(i.Data[3:35])
		switch i.Data[1] {
		case 2:
			l.data(k(0), func(d []byte) { copy(d[32:64], heir[:]); clear(d[72:108]); clear(d[121:165]) })
		case 3:
			l.data(k(0), closeBy(heir))
		}
	case 8, 15:
		l.add(k(0), -int64(u64(1)))
	case 9:
		l.pay(k(0), k(1), uint64(l.accs[k(0)].Lamports))
	case 10, 11:
		l.data(k(0), func(d []byte) { d[108] = 12 - i.Data[0] })
	case 17:
		l.change(k(0), func(s *state) { binary.LittleEndian.PutUint64(s.Data[64:], uint64(s.Lamports-xRent)) })
	case 18:
		l.initialise(k(0), k(1), pk(i.Data[1:33]))
	}
}

// played is one transaction of a script: what its pinned calls call in turn, and what they do themselves.
type played struct {
	tx    xTx
	inner []ins
	pokes pokes
}

func (p played) run(l *ledger) {
	payer := p.tx.payer
	if payer.IsZero() {
		payer = xOwner
	}
	l.change(payer, func(s *state) { s.Lamports -= 5000 * walletfi.Amount(1+len(p.tx.by)) })
	called := false
	for _, i := range p.tx.ins {
		l.do(i)
		if pk(i.Program) == xProg && !called {
			called = true
			for _, in := range p.inner {
				l.do(in)
			}
			maps.Copy(l.accs, p.pokes)
		}
	}
}

// script is a set on a ledger, and a simulator of it.
type script struct {
	start   accs
	set     []played
	states  bool // no simulation tells its calls
	untold  bool // those after the first tell none
	changes func(int, *signing.Simulation)
}

func (s *script) at(n int) *ledger {
	l := &ledger{accs: maps.Clone(s.start)}
	for _, p := range s.set[:n] {
		p.run(l)
	}
	return l
}

func (s *script) show(n int, r signing.SimulationRequest) (*signing.Simulation, error) {
	before, after := s.at(n), s.at(n+1)
	if after.err != nil {
		return nil, after.err
	}
	out := &signing.Simulation{Slot: 20, StatesOnly: s.states || s.untold && n > 0}
	outer := 0
	for i, in := range s.set[n].tx.ins {
		if pk(in.Program) == xProg {
			outer = i
			break
		}
	}
	for _, i := range s.set[n].inner {
		if !out.StatesOnly {
			out.Inner = append(out.Inner, innerOf(outer, i))
		}
	}
	for _, k := range r.Accounts {
		out.Before, out.After = append(out.Before, before.accs[k]), append(out.After, after.accs[k])
	}
	if s.changes != nil {
		s.changes(n, out)
	}
	return out, nil
}

func (s *script) Simulate(_ context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	asked := r.Transaction.Message()
	for n := range s.set {
		raw, err := base64.StdEncoding.DecodeString(s.set[n].tx.encoded().String())
		if err != nil {
			return nil, err
		}
		if bytes.Contains(raw, asked) {
			return s.show(n, r)
		}
	}
	return nil, signing.ErrUnknown
}

// inOrder is a script whose node runs sets.
type inOrder struct{ *script }

func (s inOrder) SimulateAfter(
	_ context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	return s.show(len(earlier), r)
}
