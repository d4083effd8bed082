package takeover

import (
	"math/rand/v2"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Dice is where the client's choices come from: a seed, or the fuzzer's bytes.
type dice struct {
	r *rand.Rand
	b []byte // of the fuzzer; when it is used up the client goes on by the seed

	drains bool // the client asks for what is signed, as much as it can get
}

func (d *dice) n(n int) int {
	if len(d.b) > 0 {
		v := int(d.b[0]) % n
		d.b = d.b[1:]
		return v
	}
	return d.r.IntN(n)
}

func (d *dice) in(n int) bool { return d.n(n) == 0 }

func pick[T any](d *dice, all ...T) T { return all[d.n(len(all))] }

// amount is crumbs mostly, and sometimes about as much as a ceiling, or far too much.
func (d *dice) amount(owner, mint key) uint64 {
	l := limitsOf(owner)[mint]
	u := uint64(unit(mint))
	if l.transaction == 0 {
		l = limit{100, 100, 100, 100}
	}
	most := uint64(l.transaction) * u
	switch d.n(24) {
	case 0, 1, 2, 3, 4, 5, 6:
		return most - most/100
	case 7:
		return most
	case 8:
		return most + 1
	case 9:
		return uint64(l.minute) * u
	case 10:
		return uint64(l.hour) * u
	case 11, 12, 13, 14, 15, 16:
		return most / 2
	case 17, 18, 19, 20:
		return most / uint64(3+d.n(20))
	}
	return most/100 + uint64(d.n(200))
}

func number(b []byte, n uint64) []byte { return order.AppendUint64(b, n) }

func lamports(from, to key, n uint64) call {
	return call{signing.SystemProgram, []meta{signs(from), writes(to)}, number([]byte{2, 0, 0, 0}, n)}
}

func checked(mint, from, to, by key, n uint64) call {
	return call{programOf(mint), []meta{writes(from), reads(mint), writes(to), {by, true, false}},
		append(number([]byte{12}, n), byte(decimals(mint)))}
}

func create(payer, wallet, mint key) call {
	return call{signing.AssociatedTokenProgram, []meta{signs(payer), writes(ata(wallet, mint)), reads(wallet), reads(mint),
		reads(signing.SystemProgram), reads(programOf(mint))}, []byte{1}}
}

func synced(at key) call { return call{signing.TokenProgram, []meta{writes(at)}, []byte{17}} }

func closing(mint, at, to, by key) call {
	return call{programOf(mint), []meta{writes(at), writes(to), {by, true, false}}, []byte{9}}
}

// vaultCall is a call of a vault, with more accounts that it may write.
func vaultCall(program key, what string, owner, at, mint key, n uint64, more ...meta) call {
	metas := []meta{signs(owner), writes(at), writes(named("pool", mint.String())), writes(position(program, owner, mint)),
		reads(named("vaults")), reads(mint), reads(programOf(mint))}
	return call{program, append(metas, more...), number([]byte(what), n)}
}

// A request is a set that the client wants signed.
type request struct {
	owner  key
	drafts []*draft
	intent walletfi.Intent
	client string
	nonce  bool
	honest bool
}

// honest is a request as a program would make it, with an intent that fits.
func honest(d *dice, who key) (calls []call, i walletfi.Intent) {
	mint := pick(d, usdc, late, wsol, wsol)
	if who != alice && mint == late {
		mint = usdc
	}
	n := d.amount(who, mint)
	at, payee := ata(who, mint), pick(d, shop, friend)
	if _, ok := second[who]; ok && mint == usdc && (who == bob || d.in(3)) {
		at = second[who]
	}
	spend := func(mint key, n uint64) {
		i.Spend = append(i.Spend, walletfi.Asset{Mint: mint.String(), Amount: walletfi.Amount(n)})
	}
	loan := func() (program key) {
		i.Service, program = "lending", vault
		if d.in(4) {
			i.Service, program = "amm", wild
		}
		return program
	}
	receive := func() {
		i.Receive = []walletfi.Asset{{Mint: mint.String(), Amount: walletfi.Amount(n)}}
	}
	switch k := d.n(10); {
	case k < 3 || mint == wsol && k < 8:
		i.PayTo = []string{payee.String()}
		paid := d.amount(who, wsol)
		spend(wsol, paid)
		if k == 2 && mint != wsol {
			spend(mint, n)
			calls = append(calls, checked(mint, at, ata(payee, mint), who, n))
		}
		calls = append(calls, lamports(who, payee, paid))
	case k < 6:
		i.PayTo = []string{payee.String()}
		spend(mint, n)
		calls = append(calls, checked(mint, at, ata(payee, mint), who, n))
	case k == 6:
		spend(mint, n)
		calls = append(calls, vaultCall(loan(), deposits, who, at, mint, n))
	case k == 7:
		receive()
		calls = append(calls, vaultCall(loan(), withdraws, who, at, mint, n))
	case k == 8:
		receive()
		calls = append(calls, vaultCall(loan(), borrows, who, at, mint, n))
	default:
		spend(mint, n)
		calls = append(calls, vaultCall(loan(), repays, who, at, mint, n))
	}
	return calls, i
}

// hostile is a few calls of anything, to the client's own good.
func hostile(d *dice, who key) (calls []call) {
	mint := pick(d, usdc, late, wsol, junk)
	n := d.amount(who, mint)
	other := alice
	if who == alice {
		other = bob
	}
	to := pick(d, thief, thief, shop, friend, relay, sponsor, feeAccount, other, who)
	from := pick(d, ata(who, mint), ata(who, mint), second[who])
	dest := pick(d, ata(to, mint), ata(to, mint), second[to], ata(thief, mint))
	program := pick(d, vault, vault, wild)
	switch d.n(20) {
	case 0, 1:
		calls = append(calls, lamports(who, to, n))
	case 2:
		calls = append(calls, checked(mint, from, dest, who, n))
	case 3:
		calls = append(calls, call{programOf(mint), []meta{writes(from), writes(dest), signs(who)}, number([]byte{3}, n)})
	case 4: // an approval, revoked or not
		calls = append(calls, call{programOf(mint), []meta{writes(from), reads(to), signs(who)}, number([]byte{4}, n)})
		if d.in(2) {
			calls = append(calls, call{programOf(mint), []meta{writes(from), signs(who)}, []byte{5}})
		}
	case 5:
		data := append([]byte{6, byte(pick(d, 2, 3)), 1}, to[:]...)
		calls = append(calls, call{programOf(mint), []meta{writes(from), signs(who)}, data})
	case 6:
		calls = append(calls, closing(mint, from, to, who))
	case 7: // into an account that the thief closes
		calls = append(calls, lamports(who, ata(who, wsol), n), synced(ata(who, wsol)))
	case 8: // into an account that the thief may take from
		calls = append(calls, checked(usdc, second[who], ata(who, usdc), who, d.amount(who, usdc)))
	case 9: // from another owner's account, as its delegate
		calls = append(calls, checked(usdc, second[other], pick(d, dest, ata(shop, usdc), ata(who, usdc)), who, n))
	case 10:
		calls = append(calls, create(who, pick(d, to, thief, named("new", string(rune(d.n(1000))))), mint))
	case 11: // borrowed, and sent away
		calls = append(calls, vaultCall(program, borrows, who, from, mint, n), checked(mint, from, dest, who, n))
	case 12: // released to somebody
		calls = append(calls, vaultCall(program, withdraws, who, dest, mint, n))
	case 13:
		calls = append(calls, vaultCall(program, borrows, who, dest, mint, n))
	case 14: // with more accounts in its reach
		calls = append(calls, vaultCall(program, deposits, who, from, mint, n, writes(second[who]), writes(ata(who, late))))
	case 15:
		calls = append(calls, call{programOf(mint), []meta{writes(from), writes(mint), signs(who)}, number([]byte{8}, n)})
	case 16:
		fresh := named("made", string(rune(d.n(1000))))
		data := number(number([]byte{0, 0, 0, 0}, n), uint64(pick(d, 0, 165)))
		calls = append(calls, call{signing.SystemProgram, []meta{signs(who), signs(fresh)},
			append(data, slicesOf(signing.TokenProgram[:])...)})
	case 17: // wrapped, moved and unwrapped
		calls = append(calls, lamports(who, ata(who, wsol), n), synced(ata(who, wsol)),
			checked(wsol, ata(who, wsol), dest, who, n/2), closing(wsol, ata(who, wsol), who, who))
	case 18: // a costly fee
		calls = append(calls, call{signing.ComputeBudgetProgram, nil, number([]byte{3}, uint64(d.n(1000)*d.n(1000)))})
	default:
		calls = append(calls, call{vault, []meta{signs(who), writes(from), writes(thief)}, number([]byte("drainall"), n)})
	}
	return calls
}

// generous is an intent that allows whatever a client may write into one.
func generous(d *dice) (i walletfi.Intent) {
	for _, mint := range []key{wsol, usdc, late, junk} {
		a := walletfi.Asset{Mint: mint.String(), Amount: 1 << 50}
		i.Spend = append(i.Spend, a)
		if d.in(3) {
			i.Burn = append(i.Burn, a)
		}
		if d.in(3) {
			i.ServiceFee = append(i.ServiceFee, a)
		}
	}
	everyone := []string{shop.String(), friend.String(), thief.String(), relay.String(), feeAccount.String(),
		alice.String(), bob.String(), ata(thief, usdc).String()}
	i.Service = pick(d, "", "lending", "lending", "amm", "swap")
	i.PayTo = everyone[:pick(d, 2, 2, 8)]
	i.OutputTo = everyone[:pick(d, 0, 2, 8)]
	i.CoSigners = everyone[:pick(d, 0, 8)]
	i.Delegates = everyone[:pick(d, 0, 8)]
	i.TipLamports = walletfi.Amount(pick(d, 0, tipMost, 1<<50))
	most := walletfi.Amount(1 << 50)
	i.MaxNetworkFeeLamports, i.MaxRentLamports, i.MaxForeignRentLamports = &most, &most, most
	if d.in(8) {
		i.Sponsor = pick(d, sponsor, thief).String()
	}
	return i
}

// ask makes a request: half of them as a program would, with what a thief adds.
func ask(d *dice, c *chain, made []key) *request {
	owners := append([]key{alice, alice, bob}, made...)
	r := &request{owner: owners[d.n(len(owners))], client: pick(d, "c0", "c0", "c0", "c1")}
	var calls [][]call
	if r.honest = d.drains || !d.in(6); r.honest {
		one, i := honest(d, r.owner)
		calls, r.intent = append(calls, one), i
	} else {
		for range pick(d, 1, 1, 2, 3) {
			one := hostile(d, r.owner)
			if d.in(3) {
				more, _ := honest(d, r.owner)
				one = append(one, more...)
			}
			calls = append(calls, one)
		}
		r.intent = generous(d)
	}
	if !r.honest && d.in(3) || !d.drains && d.in(20) {
		tip := lamports(r.owner, relay, uint64(pick(d, tipMost, tipMost/2, 5*tipMost)))
		calls[0] = append(calls[0], tip)
		r.intent.TipLamports = tipMost
	}
	r.intent.Owner = r.owner.String()
	kind := pick(d, legacy, legacy, v0, v0, v1)
	for _, some := range calls {
		t := &draft{payer: r.owner, calls: some, format: kind, blockhash: c.recent(uint64(pick(d, 2, 3, 5, 60)))}
		switch {
		case d.drains:
		case d.in(60):
			t.blockhash = c.recent(uint64(100 + d.n(120)))
		case d.in(25):
			r.nonce = true
			advance := call{signing.SystemProgram, []meta{writes(nonce), reads(sysvar), {r.owner, true, false}}, []byte{4, 0, 0, 0}}
			t.calls = append([]call{advance}, some...)
			t.blockhash = c.nonceValue()
		case d.in(15):
			t.payer = pick(d, sponsor, sponsor, sponsor, thief)
			if d.in(2) {
				r.intent.Sponsor = t.payer.String()
			}
			t.calls = readOnly(d, r.owner, some)
		}
		if d.in(2) {
			t.table, t.entries = table, c.tables[table]
		}
		if kind == v1 && d.in(4) {
			t.fee = uint64(d.n(200_000))
		}
		r.drafts = append(r.drafts, t)
	}
	return r
}

// readOnly takes an owner's SOL out of the reach of the vaults, half of the time.
func readOnly(d *dice, owner key, calls []call) (out []call) {
	if d.in(2) {
		return calls
	}
	for _, c := range calls {
		c.metas = slices.Clone(c.metas)
		for i, m := range c.metas {
			if m.key == owner && (c.program == vault || c.program == wild) {
				c.metas[i].writable = false
			}
		}
		out = append(out, c)
	}
	return out
}

var sysvar = signing.MustPublicKey("SysvarRecentB1ockHashes11111111111111111111")

func (c *chain) nonceValue() key {
	c.mu.Lock()
	defer c.mu.Unlock()
	return key(c.accounts[nonce].data[40:72])
}
