package signer_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// draw is a market on which a client trades what he likes, with the model beside it.
type draw struct {
	*market
	rng    *rand.Rand
	model  *model
	open   []*drawn
	quotes []modelQuote
	each   map[string]*big.Rat // the worth of a smallest unit, whatever the sources say
	counts map[string]int
}

// drawn is a message that was signed.
type drawn struct {
	tx     *signing.Transaction
	debits []*modelDebit
	trade  modelTrade
}

var windowsOf = map[string][]time.Duration{
	"turnover": {time.Hour}, "loss": {time.Hour, 3 * time.Hour},
	walletfi.NativeMint: {time.Hour}, mint.String(): {time.Hour},
}

// policy draws ceilings and returns the text of a policy with them. Now and then the token has none.
func (d *draw) policy() string {
	most := map[string]uint64{
		"turnover": 100_000_000 + d.rng.Uint64N(400_000_000), "loss": 200_000 + d.rng.Uint64N(1_500_000),
		walletfi.NativeMint: sol/2 + d.rng.Uint64N(2*sol), mint.String(): 100_000_000 + d.rng.Uint64N(200_000_000),
	}
	d.model.policy.within = 50 + d.rng.Uint64N(250)
	d.model.policy.ceilings = map[string][]modelWindow{}
	for name, lengths := range windowsOf {
		for i, length := range lengths {
			w := modelWindow{length, most[name] * uint64(5+i) / 5}
			d.model.policy.ceilings[name] = append(d.model.policy.ceilings[name], w)
		}
	}
	window := func(name string) string {
		var all []string
		for _, w := range d.model.policy.ceilings[name] {
			all = append(all, fmt.Sprintf("{length = %q, most = %d}", w.length, w.most))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	text := tradesText()
	set := func(pattern, with string) {
		require.Regexp(d.t, pattern, text)
		text = regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	names := []string{`["one"]`, `["one", "two"]`}
	d.model.policy.sources = 1 + d.rng.IntN(2)
	set(`sources = .*`, "sources = "+names[d.model.policy.sources-1])
	set(`within = 200`, fmt.Sprint("within = ", d.model.policy.within))
	set(`turnover = .*`, "turnover = "+window("turnover"))
	set(`loss = .*`, "loss = "+window("loss"))
	const wide = "transaction = 9_000_000_000\nwindow = "
	set(`transaction = 2_000_000_000\nwindow = .*`, wide+window(walletfi.NativeMint))
	set(`transaction = 1000\nwindow = .*`, wide+window(mint.String()))
	if d.rng.IntN(7) == 0 {
		delete(d.model.policy.ceilings, mint.String())
		set(`(?s)\[\[owner.ceiling\]\]\nmint = "`+mint.String()+`".*?\n\[owner`, "[owner")
	}
	return text
}

// prices draws what the sources say, and lets so much time pass that they are asked again.
func (d *draw) prices() {
	d.quotes, d.each = nil, map[string]*big.Rat{}
	sols, token := 5_000_000+d.rng.Int64N(25_000_000), 500_000+d.rng.Int64N(1_000_000)
	fault := d.rng.IntN(20)
	for i, q := range []*quoter{d.one, d.two} {
		q.prices, q.err = nil, nil
		for _, p := range []struct {
			name            string
			price, decimals int64
			places          int
		}{{walletfi.NativeMint, sols, 9, 5}, {mint.String(), token, 6, 6}} {
			d.each[p.name] = big.NewRat(p.price, pow10(p.places))
			d.each[p.name].Mul(d.each[p.name], big.NewRat(1_000_000, pow10(int(p.decimals))))
			value, at := p.price+p.price*d.rng.Int64N(60)/10_000, d.clock.Now()
			switch {
			case i == 1 && fault == 0:
				value = value * 1015 / 1000
			case i == 1 && fault == 1:
				at = at.Add(-3 * time.Minute)
			case fault == 2:
				value = 0
			case fault == 3:
				value = -value
			case fault == 4:
				continue
			}
			text := new(big.Rat).SetFrac(big.NewInt(value), big.NewInt(pow10(p.places))).FloatString(p.places)
			q.prices = append(q.prices, signer.Price{Mint: p.name, Value: walletfi.MustDecimal(text), At: at})
			each := big.NewRat(value, pow10(p.places)) // of a token, in units
			each.Mul(each, big.NewRat(1_000_000, pow10(int(p.decimals))))
			if i < d.model.policy.sources {
				d.quotes = append(d.quotes, modelQuote{p.name, each, at})
			}
		}
	}
	d.pass(20 * time.Second)
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// asks draws a request, and what the model is to make of it.
func (d *draw) asks() (q signing.SetRequest, t modelTrade) {
	t = modelTrade{sold: walletfi.NativeMint, bought: mint.String(), fee: 2 * baseFee, ours: true, proven: true}
	sells := d.rng.IntN(2) == 0
	if t.out = 1 + d.rng.Uint64N(sol/3); sells {
		t.sold, t.bought, t.out = t.bought, t.sold, 1+d.rng.Uint64N(60_000_000)
	}
	fair := new(big.Rat).Quo(new(big.Rat).Mul(d.each[t.sold], whole(t.out)), d.each[t.bought])
	t.floor = max(1, floor(fair.Mul(fair, big.NewRat(9_820+d.rng.Int64N(250), 10_000))).Uint64())
	income := ata(owner)
	if t.ours = d.rng.IntN(8) > 0; !t.ours {
		income = ata(payee)
	}
	give, get := signingtest.Transfer(owner, makers, walletfi.Amount(t.out)), moves(makers, income, t.floor)
	if sells {
		to := owner
		if !t.ours {
			to = payee
		}
		give, get = moves(owner, ata(makers), t.out), signingtest.Transfer(makers, to, walletfi.Amount(t.floor))
	}
	q = d.exchange(walletfi.Asset{Mint: t.sold, Amount: walletfi.Amount(t.out)}, t.bought, give, get)
	if !t.ours || d.rng.IntN(8) == 0 {
		q.Unsigned.Intent.Receive, t.proven = nil, false
	}
	return q, t
}

// ask has the signer sign a request, or refuse it, as the model says.
func (d *draw) ask() {
	q, t := d.asks()
	now := d.clock.Now()
	worth := d.model.worth(t, d.quotes, now)
	if _, is := worth["turnover"]; is {
		d.counts["trades"]++
	}
	all := map[string]*big.Int{}
	for name, amount := range worth {
		all[name] = new(big.Int).Set(amount)
	}
	if all[walletfi.NativeMint] == nil {
		all[walletfi.NativeMint] = new(big.Int)
	}
	all[walletfi.NativeMint].Add(all[walletfi.NativeMint], new(big.Int).SetUint64(t.fee))
	d.expire()
	got, err := d.SignSet(d.t.Context(), "trader", q)
	if err != nil {
		refusal, ok := errors.AsType[*signing.SetRefusal](err)
		require.True(d.t, ok)
		require.Contains(d.t, []string{signer.CodeWindow, signer.CodeCeiling}, refusal.Code, refusal.Text)
		require.False(d.t, d.model.fits(all, now, 10*time.Minute), refusal.Text)
		d.counts["refused"]++
		return
	}
	require.True(d.t, d.model.fits(all, now, 0), "a window is above its ceiling: %v", all)
	told := kinds(got.Messages[0])
	for _, name := range []string{"turnover", "loss", walletfi.NativeMint, mint.String()} {
		want := all[name]
		if want == nil {
			want = new(big.Int)
		}
		require.Equal(d.t, want.String(), fmt.Sprint(told[signer.Mint(name).String()]), name)
	}
	x := &drawn{trade: t}
	x.tx, err = signing.Decode(q.Unsigned.Transactions[0])
	require.NoError(d.t, err)
	require.NoError(d.t, signing.SignUnchecked(d.t.Context(), x.tx, ownerKey))
	for name, amount := range worth {
		x.debits = append(x.debits, &modelDebit{window: name, amount: amount, open: true})
	}
	fee := &modelDebit{window: walletfi.NativeMint, amount: new(big.Int).SetUint64(t.fee), fee: true, open: true}
	x.debits = append(x.debits, fee)
	d.model.debits = append(d.model.debits, x.debits...)
	d.open = append(d.open, x)
	d.counts["signed"]++
}

// ends has one message land, or fail, or all that are open die.
func (d *draw) ends() {
	if len(d.open) == 0 {
		return
	}
	i := d.rng.IntN(len(d.open))
	x := d.open[i]
	failed := d.rng.IntN(4) == 0
	if why := map[bool]string{true: "Custom"}[failed]; d.rng.IntN(6) == 0 || !d.land(x.tx, why) {
		d.pass(4 * time.Minute)
		for range 6 {
			d.settle()
		}
		h, err := d.Health(d.t.Context())
		require.NoError(d.t, err)
		require.Zero(d.t, h.Open)
		for _, x := range d.open {
			for _, m := range x.debits {
				m.amount, m.open = new(big.Int), false
			}
		}
		d.counts["died"] += len(d.open)
		d.open = nil
		return
	}
	for _, m := range x.debits {
		if m.open, m.landed = false, d.clock.Now(); failed && !m.fee {
			m.amount = new(big.Int)
		}
	}
	d.moved(x, failed)
	d.open = slices.Delete(d.open, i, i+1)
	d.settle()
	d.counts["landed"]++
}

// moved has the ledger show what a message has moved.
func (d *draw) moved(x *drawn, failed bool) {
	d.chain.mu.Lock()
	defer d.chain.mu.Unlock()
	lamports, t := d.accounts[owner], x.trade
	lamports.Lamports -= walletfi.Amount(t.fee)
	account, _ := d.accounts[ata(owner)].Token()
	amount := uint64(account.Amount)
	if !failed && t.sold == mint.String() {
		amount -= t.out
	} else if !failed {
		lamports.Lamports -= walletfi.Amount(t.out)
	}
	if !failed && t.ours && t.bought == mint.String() {
		amount += t.floor
	} else if !failed && t.ours {
		lamports.Lamports += walletfi.Amount(t.floor)
	}
	d.accounts[owner], d.accounts[ata(owner)] = lamports, tokens(owner, mint, amount)
}

// expire has the model know what can land no more.
func (d *draw) expire() {
	for _, x := range d.open {
		d.chain.mu.Lock()
		dead := head(d.slot).Height > d.born[x.tx.Blockhash().String()]+151
		d.chain.mu.Unlock()
		for _, m := range x.debits {
			m.dead = dead
		}
	}
}

// counted holds every window of the signer's against the model's.
func (d *draw) counted() {
	d.expire()
	used, err := d.Ledger(d.t.Context())
	require.NoError(d.t, err)
	for _, u := range used {
		name := string(u.Mint)
		length, err := time.ParseDuration(u.Length)
		require.NoError(d.t, err)
		now, has := d.clock.Now(), big.NewInt(u.Landed+u.Open)
		least, most := d.model.sum(name, length, now, false), d.model.sum(name, length+10*time.Minute, now, true)
		require.LessOrEqual(d.t, least.Cmp(has), 0, "%s within %s: %v must count, %v does", name, u.Length, least, has)
		require.LessOrEqual(d.t, has.Cmp(most), 0, "%s within %s: %v is counted, of %v", name, u.Length, has, most)
		d.counts["windows"]++
	}
}

// TestDrawnTrades: whatever is traded at whatever prices, no window is above its ceiling, nothing is uncounted,
// and the signer counts the same as a model that was written without it.
func TestDrawnTrades(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(8) {
		d := &draw{rng: rand.New(rand.NewPCG(seed, 7)), counts: counts, model: &model{policy: modelPolicy{
			agree: 100, age: time.Minute,
			mints: map[string]bool{walletfi.NativeMint: true, mint.String(): true},
		}}}
		d.market = &market{rig: &rig{t: t}}
		text := d.policy()
		d.market = newMarket(t, 2, text)
		d.accounts[ata(owner)] = tokens(owner, mint, 1<<50)
		for range 50 {
			d.prices()
			require.NoError(t, d.Settle(t.Context()))
			d.ask()
			d.counted()
			switch d.rng.IntN(8) {
			case 0, 1, 2:
				d.ends()
			case 3:
				d.pass(time.Duration(d.rng.IntN(40)) * time.Minute)
				require.NoError(t, d.Settle(t.Context()))
				d.ends()
			case 4:
				require.NoError(t, d.change(parsed(t, d.policy())))
			}
			d.counted()
		}
		frozen := d.frozen()
		require.Empty(t, frozen, "what left is explained")
		d.audited(t)
	}
	t.Log(counts)
	for _, name := range []string{"trades", "signed", "refused", "landed", "died", "windows"} {
		require.Greater(t, counts[name], 20, name)
	}
}
