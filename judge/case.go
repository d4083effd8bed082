package main

import (
	"math/rand/v2"
	"slices"
)

// probe is the transaction that is compared.
type probe struct {
	payer   key
	all     []ins
	subject int // of all, the one whose kind the case has
	format  format
	twice   bool // sent again, and the second answer counts
	message func(m *message)
	wire    func(b []byte) []byte
}

// trial is one case by its numbers: the same numbers make the same case.
type trial struct {
	seed     uint64
	number   int
	kind     kind
	breakage breakage
	without  []int // the instructions of the probe that shrinking left out
}

func kinds() []kind {
	return slices.Concat(systemKinds, tokenKinds(tokenProgram), tokenKinds(token2022), token2022Kinds, otherKinds,
		stakeKinds)
}

// trials draws n cases. Each kind comes as often as any other, a fifth of the cases are
// valid, and the others are broken in the way that fits and was taken least so far.
func trials(seed uint64, n int) []trial {
	all := kinds()
	draw := rand.New(rand.NewPCG(seed, 0))
	used := make([]int, len(breakages))
	var order []int
	var out []trial
	for number := 1; number <= n; number++ {
		if len(order) == 0 {
			order = draw.Perm(len(all))
		}
		t := trial{seed: seed, number: number, kind: all[order[0]], breakage: breakages[0]}
		order = order[1:]
		ways := draw.Perm(len(breakages))
		slices.SortStableFunc(ways, func(a, b int) int { return used[a] - used[b] })
		if draw.Float64() > 0.2 {
			for _, way := range ways {
				t.breakage = breakages[way]
				if _, _, fits := t.build(1_000_000); way > 0 && fits {
					used[way]++
					break
				}
			}
		}
		out = append(out, t)
	}
	return out
}

// build makes the case, and reports whether its breakage fits its kind.
func (t trial) build(slot uint64) (s *scene, p *probe, fits bool) {
	s = newScene(t.seed, t.number, slot)
	i := t.kind.make(s)
	i.name = t.kind.name
	p = &probe{payer: s.payer, format: s.format()}
	if t.breakage.ins != nil && !t.breakage.ins(s, &i) {
		return nil, nil, false
	}
	p.all = []ins{i}
	if s.nonce != nil {
		p.all = append(p.all, transfer(s.payer, s.key(), 1_000_000))
	} else {
		p.fill(s)
	}
	if t.breakage.whole != nil && !t.breakage.whole(s, p) {
		return nil, nil, false
	}
	return s, p, true
}

// format draws one of those that can hold the scene's transaction: only version 0 has tables.
func (s *scene) format() format {
	if s.table.key != (key{}) {
		return v0
	}
	return []format{legacy, legacy, v0, v0, v1}[s.IntN(5)]
}

// fill puts other instructions before and after the subject, now and then.
func (p *probe) fill(s *scene) {
	if s.chance(0.2) {
		p.all = append(p.all, transfer(s.payer, s.wallet(1_000_000), s.upTo(1000)))
	}
	if s.chance(0.1) {
		p.all = append([]ins{{"Memo", memo, nil, []byte("before"), -1}}, p.all...)
		p.subject++
	}
	if s.chance(0.1) {
		p.all = append([]ins{{"ComputeBudget.SetComputeUnitLimit", budget, nil, join(2, u32(300_000)), -1}}, p.all...)
		p.subject++
	}
}

// kept are the instructions without those that shrinking left out.
func (p *probe) kept(without []int) []ins {
	var all []ins
	for at, i := range p.all {
		if !slices.Contains(without, at) {
			all = append(all, i)
		}
	}
	return all
}
