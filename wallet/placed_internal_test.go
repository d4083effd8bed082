package wallet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestShortfalls: what is asked for, what the effects show, and what is missing.
func TestShortfalls(t *testing.T) {
	const sol, rent = walletfi.NativeMint, 1000
	token := func(after walletfi.Amount) *walletfi.Effects {
		return &walletfi.Effects{FeePayer: "me", Fee: 5, Tokens: []walletfi.TokenChange{
			{Account: "a", Owner: "me", Mint: "m", Change: walletfi.Change{Before: 10, After: after}},
			{Account: "b", Owner: "other", Mint: "m", Change: walletfi.Change{After: 1000}},
		}}
	}
	lamports := func(after walletfi.Amount) *walletfi.Effects {
		return &walletfi.Effects{FeePayer: "me", Fee: 5, Lamports: []walletfi.LamportChange{
			{Account: "me", Change: walletfi.Change{Before: 10_000, After: after}},
		}}
	}
	receive := func(mint string, amounts ...walletfi.Amount) walletfi.Intent {
		i := walletfi.Intent{Owner: "me", MaxRentLamports: new(walletfi.Amount(rent))}
		for _, a := range amounts {
			i.Receive = append(i.Receive, walletfi.Asset{Mint: mint, Amount: a})
		}
		return i
	}
	with := func(i walletfi.Intent, change func(*walletfi.Intent)) walletfi.Intent {
		change(&i)
		return i
	}
	filled := func(p Placed) Placed {
		p.FilledLater, p.End = true, &walletfi.OrderEnd{Filled: true}
		return p
	}
	confirmed := func(i walletfi.Intent, all ...*walletfi.Effects) Placed {
		p := Placed{Intent: i}
		for n, e := range all {
			p.Result.Steps = append(p.Result.Steps, Step{State: StateConfirmed, Signature: string(rune('a' + n)), Effects: e})
		}
		return p
	}
	later := func(i *walletfi.Intent) { i.ReceiveAfter = new(time.Duration) }
	fill := func(p Placed, signature string, e *walletfi.Effects) Placed {
		p.Fills = append(p.Fills, FillStep{walletfi.OrderFill{Signature: signature}, e, nil})
		return p
	}
	for name, c := range map[string]struct {
		placed         Placed
		asked, arrived walletfi.Amount // both 0 if it is not short
	}{
		"all of it":                  {confirmed(receive("m", 90), token(100)), 0, 0},
		"more":                       {confirmed(receive("m", 90), token(200)), 0, 0},
		"nothing asked for":          {confirmed(receive("m"), token(0)), 0, 0},
		"one less":                   {confirmed(receive("m", 91), token(100)), 91, 90},
		"two entries of a mint":      {confirmed(receive("m", 90, 1), token(100)), 91, 90},
		"nothing":                    {confirmed(receive("m", 1), token(10)), 1, 0},
		"less than before":           {confirmed(receive("m", 1), token(0)), 1, 0},
		"in two transactions":        {confirmed(receive("m", 180), token(100), token(100)), 0, 0},
		"of two, one unknown":        {confirmed(receive("m", 1000), token(100), nil), 0, 0},
		"unknown":                    {confirmed(receive("m", 1000), nil), 0, 0},
		"spent too":                  {confirmed(with(receive("m", 100), func(i *walletfi.Intent) { i.Spend = []walletfi.Asset{{Mint: "m", Amount: 10}} }), token(100)), 0, 0},
		"lamports":                   {confirmed(receive(sol, 1000), lamports(11_000)), 0, 0},
		"lamports less the costs":    {confirmed(receive(sol, 1005+rent), lamports(11_000)), 0, 0},
		"lamports below":             {confirmed(receive(sol, 1006+rent), lamports(11_000)), 1006 + rent, 1005 + rent},
		"lamports, another pays":     {confirmed(with(receive(sol, 1001+rent), func(i *walletfi.Intent) { i.Sponsor = "s" }), func() *walletfi.Effects { e := lamports(11_000); e.FeePayer = "s"; return e }()), 1001 + rent, 1000 + rent},
		"lamports lost":              {confirmed(receive(sol, 6), lamports(10_000-rent)), 6, 5},
		"a tip":                      {confirmed(with(receive(sol, 1012+rent), func(i *walletfi.Intent) { i.TipLamports = 7 }), lamports(11_000)), 0, 0},
		"costs without bound":        {confirmed(with(receive(sol, 1<<63), func(i *walletfi.Intent) { i.TipLamports = 1<<64 - 1 }), lamports(11_000)), 0, 0},
		"to another":                 {confirmed(with(receive("m", 91), func(i *walletfi.Intent) { i.OutputTo = []string{"him"} }), token(100)), 0, 0},
		"after a cooldown":           {confirmed(with(receive("m", 91), later), token(100)), 0, 0},
		"filled later":               {fill(filled(confirmed(with(receive("m", 90), later), token(10))), "f", token(100)), 0, 0},
		"filled later, short":        {fill(filled(confirmed(with(receive("m", 91), later), token(10))), "f", token(100)), 91, 90},
		"the fill is its own":        {fill(filled(confirmed(with(receive("m", 91), later), token(100))), "a", token(100)), 91, 90},
		"a fill that is not known":   {fill(filled(confirmed(with(receive("m", 91), later), token(10))), "f", nil), 0, 0},
		"filled in part and is open": {Placed{Intent: with(receive("m", 91), later), FilledLater: true, End: &walletfi.OrderEnd{}}, 0, 0},
	} {
		var want []Shortfall
		if c.asked > 0 {
			want = []Shortfall{{c.placed.Intent.Receive[0].Mint, c.asked, c.arrived}}
		}
		require.Equal(t, want, c.placed.shortfalls(), name)
	}
}
