package main

import (
	"fmt"
	"math"
	"slices"
)

// breakage spoils an instruction in place and reports whether it could.
type breakage struct {
	name string
	ins  func(s *scene, i *ins) bool
	// whole spoils the transaction instead: see probe.
	whole func(s *scene, p *probe) bool
}

func pick(s *scene, all []meta, fits func(m meta) bool) (int, bool) {
	var places []int
	for at, m := range all {
		if fits(m) {
			places = append(places, at)
		}
	}
	if len(places) == 0 {
		return 0, false
	}
	return places[s.IntN(len(places))], true
}

func replaced(with func(s *scene, was key) key, fits func(m meta) bool) func(s *scene, i *ins) bool {
	return func(s *scene, i *ins) bool {
		at, ok := pick(s, i.metas, fits)
		if ok {
			i.metas[at].key = with(s, i.metas[at].key)
		}
		return ok
	}
}

func held(m meta) bool     { return !m.signer }
func written(m meta) bool  { return m.writable }
func signsFor(m meta) bool { return m.signer }

// breakages are the ways in which a transaction is wrong. The first is none.
var breakages = []breakage{
	{name: "valid", ins: func(*scene, *ins) bool { return true }},
	{name: "missing signer", ins: func(s *scene, i *ins) bool {
		at, ok := pick(s, i.metas, func(m meta) bool { return m.signer && m.key != s.payer })
		if ok {
			i.metas[at].signer = false
		}
		return ok
	}},
	{name: "wrong owner", ins: replaced(func(s *scene, _ key) key {
		if s.chance(0.5) {
			return s.wallet(2_000_000)
		}
		return s.account([]key{tokenProgram, token2022, memo}[s.IntN(3)], []int{82, 165, 80, 355}[s.IntN(4)])
	}, held)},
	{name: "wrong authority", ins: replaced(func(s *scene, _ key) key { return s.key() }, signsFor)},
	{name: "another account", ins: replaced(func(s *scene, _ key) key { return s.key() }, held)},
	{name: "truncated", ins: func(s *scene, i *ins) bool {
		if len(i.data) == 0 {
			return false
		}
		i.data = i.data[:s.IntN(len(i.data))]
		return true
	}},
	{name: "trailing bytes", ins: func(s *scene, i *ins) bool {
		for range 1 + s.IntN(9) {
			i.data = append(i.data, byte(s.IntN(256)))
		}
		return true
	}},
	{name: "flipped bits", ins: func(s *scene, i *ins) bool {
		if len(i.data) == 0 {
			return false
		}
		i.data[s.IntN(len(i.data))] ^= 1 << s.IntN(8)
		return true
	}},
	{name: "unknown tag", ins: func(s *scene, i *ins) bool {
		if len(i.data) == 0 {
			return false
		}
		i.data[0] = byte(46 + s.IntN(200))
		return true
	}},
	{name: "account order", ins: func(s *scene, i *ins) bool {
		if len(i.metas) < 2 {
			return false
		}
		a := s.IntN(len(i.metas) - 1)
		i.metas[a], i.metas[a+1] = i.metas[a+1], i.metas[a]
		return true
	}},
	{name: "missing account", ins: func(s *scene, i *ins) bool {
		if len(i.metas) == 0 {
			return false
		}
		i.metas = i.metas[:s.IntN(len(i.metas))]
		return true
	}},
	{name: "extra account", ins: func(s *scene, i *ins) bool {
		i.metas = append(i.metas, meta{s.key(), s.chance(0.3), s.chance(0.5)})
		return true
	}},
	{name: "read-only", ins: func(s *scene, i *ins) bool {
		at, ok := pick(s, i.metas, func(m meta) bool { return m.writable && m.key != s.payer })
		if ok {
			i.metas[at].writable = false
		}
		return ok
	}},
	{name: "self-transfer", ins: func(s *scene, i *ins) bool {
		from, ok := pick(s, i.metas, written)
		if !ok {
			return false
		}
		was := i.metas[from].key
		to, ok := pick(s, i.metas, func(m meta) bool { return m.writable && m.key != was })
		if ok {
			i.metas[to].key = was
		}
		return ok
	}},
	{name: "overflow", ins: amounts(func(s *scene) uint64 {
		return math.MaxUint64 - []uint64{0, 1, 1_000_000, math.MaxUint64 / 2}[s.IntN(4)]
	})},
	{name: "dust", ins: amounts(func(s *scene) uint64 { return s.Uint64N(3) })},
	{name: "rent", ins: amounts(func(s *scene) uint64 {
		return rent([]int{0, 80, 82, 165}[s.IntN(4)]) - s.Uint64N(3)
	})},
	{name: "too much", ins: amounts(func(s *scene) uint64 { return 1_000_001 + s.Uint64N(1<<40) })},
	{name: "uninitialised", ins: replaced(func(s *scene, _ key) key {
		return s.account(s.either(), []int{82, 165, 355}[s.IntN(3)])
	}, held)},
	{name: "the other program", ins: func(s *scene, i *ins) bool {
		switch i.program {
		case tokenProgram:
			i.program = token2022
		case token2022:
			i.program = tokenProgram
		case memo:
			i.program = memo1
		default:
			i.program = memo
		}
		return true
	}},
	{name: "not a program", ins: func(s *scene, i *ins) bool {
		i.program = s.wallet(5_000_000)
		return true
	}},
	{name: "done twice", whole: func(s *scene, p *probe) bool {
		p.all = slices.Insert(p.all, p.subject, p.all[p.subject].clone())
		return true
	}},
	{name: "few units", whole: func(s *scene, p *probe) bool {
		p.limit(2, uint32([]int{0, 10, 100, 151, 300, 500, 1500, 2500}[s.IntN(8)]))
		return true
	}},
	{name: "small loaded data", whole: func(s *scene, p *probe) bool {
		p.limit(4, uint32([]int{0, 10, 2000, 50_000, 120_000, 1_000_000}[s.IntN(6)]))
		return true
	}},
	{name: "config of version 1", whole: func(s *scene, p *probe) bool {
		if s.table.key != (key{}) {
			return false
		}
		p.format = v1
		drawn := config{[]uint32{0, 4, 8, 15, 28, 31, 31, 31, 1, 2, 13, 32, 1 << 31}[s.IntN(13)], s.upTo(10_000_000),
			[]uint32{0, 150, 1_000_000, 1_400_001}[s.IntN(4)], []uint32{0, 10, 1 << 20, 128 << 20}[s.IntN(4)],
			[]uint32{0, 1024, 32 << 10, 33<<10 + 1, 64 << 10, 256 << 10, 257 << 10}[s.IntN(7)]}
		p.message = func(m *message) { m.config = drawn }
		return true
	}},
	{name: "wrong signature", whole: spoilt(func(s *scene, b []byte) []byte {
		if at := firstSignature(b); at >= 0 {
			b[at+s.IntN(64)] ^= 1 << s.IntN(8)
		}
		return b
	})},
	{name: "no signature", whole: spoilt(func(s *scene, b []byte) []byte {
		if at := firstSignature(b); at >= 0 {
			clear(b[at : at+64])
		}
		return b
	})},
	{name: "unknown blockhash", whole: changed(func(s *scene, m *message) bool {
		m.blockhash = [32]byte(s.key())
		return true
	})},
	{name: "sent twice", whole: func(s *scene, p *probe) bool {
		p.twice = true
		return true
	}},
	{name: "poor payer", whole: func(s *scene, p *probe) bool {
		p.payer = s.wallet([]uint64{1, 4_999, 5_000, 5_001, 890_880 + 5_000, 890_879 + 5_000}[s.IntN(6)])
		return true
	}},
	{name: "no payer", whole: func(s *scene, p *probe) bool {
		p.payer = s.key()
		return true
	}},
	{name: "a program's payer", whole: func(s *scene, p *probe) bool {
		p.payer = s.key()
		s.do(createAccount(s.payer, p.payer, 5_000_000, 10, s.owner()))
		return true
	}},
	{name: "account index", whole: changed(func(s *scene, m *message) bool {
		i := &m.instructions[s.IntN(len(m.instructions))]
		if len(i.accounts) == 0 || s.chance(0.3) {
			i.program = []int{0, len(m.keys), 200}[s.IntN(3)]
			return true
		}
		i.accounts[s.IntN(len(i.accounts))] = byte([]int{len(m.keys) + 30, 255}[s.IntN(2)])
		return true
	})},
	{name: "header", whole: changed(func(s *scene, m *message) bool {
		switch s.IntN(4) {
		case 0:
			m.readOnlySigners = m.signers
		case 1:
			m.readOnlyOthers = len(m.keys)
		case 2:
			m.signers++
		case 3:
			m.readOnlyOthers = 0
		}
		return true
	})},
	{name: "repeated key", whole: changed(func(s *scene, m *message) bool {
		m.keys[len(m.keys)-1] = m.keys[0]
		return true
	})},
	{name: "truncated wire", whole: spoilt(func(s *scene, b []byte) []byte { return b[:s.IntN(len(b))] })},
}

// limit states units by 2 and loaded bytes by 4: in an instruction, or in the config of version 1.
func (p *probe) limit(tag int, most uint32) {
	if p.format != v1 {
		i := ins{fmt.Sprint("ComputeBudget, ", tag), budget, nil, join(tag, u32(most)), -1}
		p.all = append([]ins{i}, p.all...)
		return
	}
	p.message = func(m *message) {
		if tag == 2 {
			m.config.units = most
		} else {
			m.config.loadable = most
		}
	}
}

func amounts(draw func(s *scene) uint64) func(s *scene, i *ins) bool {
	return func(s *scene, i *ins) bool {
		if i.amount < 0 || i.amount+8 > len(i.data) {
			return false
		}
		copy(i.data[i.amount:], u64(draw(s)))
		return true
	}
}

// spoilt changes the signed bytes.
func spoilt(f func(s *scene, b []byte) []byte) func(s *scene, p *probe) bool {
	return func(s *scene, p *probe) bool {
		p.wire = func(b []byte) []byte { return f(s, b) }
		return true
	}
}

// changed changes the message before it is signed.
func changed(f func(s *scene, m *message) bool) func(s *scene, p *probe) bool {
	return func(s *scene, p *probe) bool {
		p.message = func(m *message) { f(s, m) }
		return true
	}
}
