package main

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// relay is where the program is that calls its last account with the others and its data.
var relay = key(sha256.Sum256([]byte("relay of the judge")))

// shipped are the programs of LiteSVM that a careless policy pins.
var shipped = []corpus.Key{
	relay, systemProgram, tokenProgram, token2022, ataProgram, memo, memo1, stakeProgram, lookupProgram,
}

// moves draws calls of pinned programs that move value of an owner's: straight, and through the relay.
type moves struct {
	*rand.Rand
	owner        key
	ours, others []holding
	wallets      []key // of others
	nonce        key
	table        table
}

func newMoves(c corpus.Config, g *corpus.Grammar, r *rand.Rand) *moves {
	spec := corpus.NewLedger(c)
	m := &moves{Rand: r, owner: c.Owner, nonce: spec.Nonce.Account}
	for _, h := range holdings(spec) {
		switch {
		case h.owner != m.owner:
			m.others = append(m.others, h)
		case h.amount > 0:
			m.ours = append(m.ours, h)
		}
	}
	for wallet := range spec.Wallets {
		if key(wallet) != m.owner {
			m.wallets = append(m.wallets, wallet)
		}
	}
	slices.SortFunc(m.wallets, func(a, b key) int { return slices.Compare(a[:], b[:]) })
	at, held := g.Table()
	m.table.key = at
	for _, k := range held {
		m.table.held = append(m.table.held, k)
	}
	return m
}

// pin pins everything, and puts a transaction that calls it into a set, or in the set's place. reached are the
// accounts that the relay may write: what it takes of them, a guard that sees nothing cannot know.
func (m *moves) pin(drawn corpus.Case, blockhash corpus.Key) (_ corpus.Case, reached []key) {
	pins := maps.Clone(drawn.Policy.Pins)
	pins["swap"] = slices.Concat(pins["swap"], shipped)
	drawn.Policy.Pins = pins
	var all []ins
	for range 1 + m.IntN(2) {
		for _, one := range m.phrase(drawn.Unsigned.Intent) {
			one = m.call(one)
			all = append(all, one)
			for _, a := range one.metas {
				if one.program == relay && a.writable {
					reached = append(reached, a.key)
				}
			}
		}
	}
	as, from := format(m.IntN(3)), table{}
	if as == v0 && m.IntN(2) == 0 {
		from = m.table
	}
	wire := compile(m.owner, blockhash, as, from, all).sign(nil)
	text := walletfi.EncodedTransaction(walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wire)))
	set := slices.Clone(drawn.Unsigned.Transactions)
	if m.IntN(2) == 0 {
		set = nil
	}
	drawn.Unsigned.Transactions = slices.Insert(set, m.IntN(len(set)+1), text)
	return drawn, reached
}

// call is one move, most times through the relay.
func (m *moves) call(one ins) ins {
	if m.IntN(4) == 0 {
		return one
	}
	metas := append(slices.Clone(one.metas), r(one.program))
	return ins{one.name, relay, metas, one.data, -1}
}

// phrase is one move, or a few that belong together: an account that is made and filled, or somebody who is let take
// something, takes it and is let no more.
func (m *moves) phrase(i walletfi.Intent) []ins {
	from, other, fresh := m.ours[m.IntN(len(m.ours))], m.wallet(), key{0: 7, 31: byte(m.IntN(256))}
	n := m.amount(i, key(from.mint.Address).String())
	do := func(data []byte, metas ...meta) ins { return ins{"", from.mint.Program, metas, data, -1} }
	mint := r(from.mint.Address)
	switch m.IntN(8) {
	case 0:
		owner, size := []key{m.owner, other}[m.IntN(2)], uint64(165+[]int{0, 0, 13}[m.IntN(3)])
		return []ins{
			createAccount(m.owner, fresh, rent(int(size))+[]uint64{0, 0, n}[m.IntN(3)], size, from.mint.Program),
			do(join(18, owner), w(fresh), mint),
			do(join(12, u64(n), from.mint.Decimals), w(from.at), mint, w(fresh), rs(m.owner)),
		}
	case 1:
		to := associated(other, from.mint)
		list := []ins{
			do(join(13, u64(n), from.mint.Decimals), w(from.at), mint, r(other), rs(m.owner)),
			do(join(12, u64(n), from.mint.Decimals), w(from.at), mint, w(to), rs(other)),
			do(join(5), w(from.at), rs(m.owner)),
		}
		return list[:2+m.IntN(2)]
	}
	return []ins{m.move(i)}
}

// amount is a part of what an intent spends of a mint, all of it, or more.
func (m *moves) amount(i walletfi.Intent, mint string) uint64 {
	var most uint64 = 1000
	for _, a := range slices.Concat(i.Spend, i.Burn) {
		if a.Mint == mint {
			most = uint64(a.Amount)
		}
	}
	return []uint64{most, most / 2, 1 + most/8, 1 + most/9, 1 + most/16, most + 1, 3 * most}[m.IntN(7)]
}

func (m *moves) wallet() key { return m.wallets[m.IntN(len(m.wallets))] }

// move is an instruction of a program that LiteSVM ships.
func (m *moves) move(i walletfi.Intent) ins {
	lamports := m.amount(i, walletfi.NativeMint)
	switch m.IntN(16) {
	case 0, 1, 2:
		return transfer(m.owner, m.wallet(), lamports)
	case 3:
		return ins{"", systemProgram, []meta{sw(m.owner)}, join(u32(1), relay), -1}
	case 4:
		return ins{"", systemProgram, []meta{w(m.nonce), w(m.wallet()), r(recentSysvar), r(rentSysvar), rs(m.owner)},
			join(u32(5), u64(lamports)), -1}
	case 5:
		return ins{"", stakeProgram, []meta{w(ownStake), w(m.wallet()), r(clockSysvar), r(historySysvar), rs(m.owner)},
			join(u32(4), u64(lamports)), -1}
	case 6:
		return ins{"", stakeProgram, []meta{w(ownStake), r(clockSysvar), rs(m.owner)},
			join(u32(1), m.wallet(), u32(uint32(m.IntN(2)))), -1}
	case 7:
		coin, wallet := m.ours[m.IntN(len(m.ours))].mint, m.wallet()
		return ins{"", ataProgram, []meta{sw(m.owner), w(associated(wallet, coin)), r(wallet), r(coin.Address),
			r(systemProgram), r(coin.Program)}, join(1), -1}
	}
	return m.token(i)
}

// token is an instruction about an account of the owner's.
func (m *moves) token(i walletfi.Intent) ins {
	from := m.ours[m.IntN(len(m.ours))]
	n := u64(m.amount(i, key(from.mint.Address).String()))
	do := func(data []byte, metas ...meta) ins { return ins{"", from.mint.Program, metas, data, -1} }
	to := slices.DeleteFunc(slices.Concat(m.others, m.ours), func(h holding) bool {
		return h.mint.Address != from.mint.Address || h.at == from.at
	})
	heir := m.wallet()
	switch kind := m.IntN(9); {
	case kind < 4 && len(to) > 0:
		at := to[m.IntN(len(to))].at
		return do(join(12, n, from.mint.Decimals), w(from.at), r(from.mint.Address), w(at), rs(m.owner))
	case kind == 4:
		return do(join(13, n, from.mint.Decimals), w(from.at), r(from.mint.Address), r(heir), rs(m.owner))
	case kind == 5:
		return do(join(6, 2+m.IntN(2), 1, heir), w(from.at), rs(m.owner))
	case kind == 6:
		return do(join(9), w(from.at), w(heir), rs(m.owner))
	case kind == 7:
		return do(join(5), w(from.at), rs(m.owner))
	}
	return do(join(15, n, from.mint.Decimals), w(from.at), w(from.mint.Address), rs(m.owner))
}
