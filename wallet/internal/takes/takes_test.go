package takes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

const sol = walletfi.NativeMint

var (
	native = signing.NativeMint
	owner  = signing.PublicKey{1}
	purse  = signing.PublicKey{2} // a token account
	coin   = signing.PublicKey{3}
)

// leaves makes a movement out of the owner's accounts by transaction i.
func leaves(i int, mint signing.PublicKey, amount uint64, as signing.Counts) signing.Movement {
	return signing.Movement{Transaction: i, Mint: mint, Amount: walletfi.Amount(amount), CountsAs: as}
}

// calls has transaction i call a pinned program with the owner's signature.
func calls(i int) signing.Reach {
	return signing.Reach{Transaction: i, Ours: []signing.PublicKey{purse}}
}

func assets(mint signing.PublicKey, amount walletfi.Amount) []walletfi.Asset {
	return []walletfi.Asset{{Mint: mint.String(), Amount: amount}}
}

// reported is a report of transactions that cost 10 lamports each.
func reported(judged ...signing.JudgedBy) *signing.Report {
	r := &signing.Report{Owner: owner}
	r.Intent = walletfi.Intent{
		Spend: assets(native, 100), Burn: assets(coin, 20), ServiceFee: assets(native, 7), TipLamports: 5,
		MaxRentLamports: new(walletfi.Amount(300)), MaxForeignRentLamports: 40,
	}
	for _, j := range judged {
		r.Transactions = append(r.Transactions, signing.TransactionReport{
			FeePayer: owner, BaseFeeLamports: 8, PriorityLamports: 2, JudgedBy: j,
		})
	}
	return r
}

// TestAtWorst: the bytes bound a transaction that calls no pinned program. One that does may take all that the
// guard lets it, each kind for itself, and rent too unless a simulation tells each transfer.
func TestAtWorst(t *testing.T) {
	paid := []signing.Movement{
		leaves(0, native, 60, signing.CountsAsSpend), leaves(0, native, 7, signing.CountsAsFee),
		leaves(0, native, 30, signing.CountsAsRent),
	}
	for name, c := range map[string]struct {
		judged signing.JudgedBy
		leaves []signing.Movement
		change func(*signing.Report)
		sol    Take
		coin   walletfi.Amount
	}{
		"by bytes": {leaves: paid, sol: Take{sol, 107, 40}},
		"another pays the fee": {
			leaves: paid, sol: Take{sol, 97, 30}, change: func(r *signing.Report) { r.Transactions[0].FeePayer = purse },
		},
		"simulated": {
			judged: signing.BySimulation, leaves: paid, sol: Take{sol, 100 + 7 + 30 + 5 + 10, 30 + 5 + 10}, coin: 20,
			change: func(r *signing.Report) { r.Reaches = []signing.Reach{calls(0)} },
		},
		"simulated, transfers untold": {
			judged: signing.BySimulation, leaves: paid, sol: Take{sol, 100 + 7 + 5 + 340 + 10, 5 + 340 + 10}, coin: 20,
			change: func(r *signing.Report) { r.Reaches, r.Untold = []signing.Reach{calls(0)}, true },
		},
		"blind": {
			leaves: paid, sol: Take{sol, 100 + 7 + 5 + 340 + 10, 5 + 340 + 10}, coin: 20,
			change: func(r *signing.Report) { r.Reaches = []signing.Reach{calls(0)} },
		},
		"blind, though it was simulated": {
			judged: signing.BySimulation, sol: Take{sol, 100 + 7 + 5 + 340 + 10, 5 + 340 + 10}, coin: 20,
			change: func(r *signing.Report) { r.Reaches, r.Blind = []signing.Reach{calls(0)}, []signing.Blind{{}} },
		},
		"a call that can take nothing": {
			leaves: paid, sol: Take{sol, 107, 40},
			change: func(r *signing.Report) { r.Reaches = []signing.Reach{{Unsigned: true}} },
		},
		"a call of another transaction": {
			leaves: paid, sol: Take{sol, 107, 40}, change: func(r *signing.Report) { r.Reaches = []signing.Reach{calls(1)} },
		},
		"SOL by its other name": {
			judged: signing.BySimulation, sol: Take{sol, 100 + 7 + 5 + 10, 5 + 10}, coin: 20,
			change: func(r *signing.Report) {
				r.Reaches, r.Intent.Spend = []signing.Reach{calls(0)}, assets(signing.NativeMintToken2022, 100)
			},
		},
		"two entries of a mint": {
			judged: signing.BySimulation, leaves: paid, sol: Take{sol, 101 + 7 + 30 + 5 + 10, 30 + 5 + 10}, coin: 24,
			change: func(r *signing.Report) {
				r.Reaches = []signing.Reach{calls(0)}
				r.Intent.Spend = append(r.Intent.Spend, assets(native, 1)...)
				r.Intent.Burn = append(append(r.Intent.Burn, assets(purse, 9)...), assets(coin, 4)...)
			},
		},
		"a lamport": {
			leaves: []signing.Movement{leaves(0, native, 1, signing.CountsAsSpend)}, sol: Take{sol, 11, 10},
		},
		"more than 64 bits": {
			leaves: []signing.Movement{leaves(0, native, math.MaxUint64, signing.CountsAsSpend)},
			sol:    Take{sol, math.MaxUint64, 10},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := reported(c.judged)
			if r.Leaves = c.leaves; c.change != nil {
				c.change(r)
			}
			all := AtWorst(r, 0)
			require.Equal(t, c.sol, all.Of(sol))
			require.Equal(t, Take{Mint: coin.String(), Amount: c.coin}, all.Of(coin.String()))
		})
	}
}

// TestReaches: a call that has the owner's signature can take something, and any that writes what may be the owner's.
func TestReaches(t *testing.T) {
	for name, c := range map[string]struct {
		reach signing.Reach
		some  bool
	}{
		"signed":                {signing.Reach{}, true},
		"unsigned":              {signing.Reach{Unsigned: true}, false},
		"an account":            {signing.Reach{Unsigned: true, Ours: []signing.PublicKey{purse}}, true},
		"a position":            {signing.Reach{Unsigned: true, Positions: []signing.PublicKey{purse}}, true},
		"an account of a table": {signing.Reach{Unsigned: true, Unknown: 1}, true},
		"an account unshown":    {signing.Reach{Unsigned: true, Unshown: 1}, true},
		"one of each": {signing.Reach{
			Unsigned: true, Unshown: 1, Unknown: 1, Ours: []signing.PublicKey{purse}, Positions: []signing.PublicKey{purse},
		}, true},
	} {
		r := reported(signing.BySimulation)
		r.Reaches = []signing.Reach{c.reach}
		require.Equal(t, c.some, AtWorst(r, 0).Of(sol).Amount > 10, name)
	}
}

// TestOverASet: simulated transactions share the bounds of their set. Each that nothing shows may take all of them.
func TestOverASet(t *testing.T) {
	for judged, want := range map[signing.JudgedBy][2]walletfi.Amount{
		signing.BySimulation: {60 + 2 + 5 + 7 + 10, 38 + 2 + 5 + 7 + 10},
		signing.ByBytes:      {100 + 5 + 7 + 340 + 10, 100 + 5 + 7 + 340 + 10},
	} {
		r := reported(judged, judged)
		r.Leaves = []signing.Movement{leaves(0, native, 60, signing.CountsAsSpend), leaves(1, native, 38, signing.CountsAsSpend)}
		r.Reaches = []signing.Reach{calls(0), calls(1)}
		require.Equal(t, want, [2]walletfi.Amount{AtWorst(r, 0).Of(sol).Amount, AtWorst(r, 1).Of(sol).Amount}, judged)
	}
}

// TestBurnAll: what may be burned whole by a call that nothing shows counts as it was found, and without a bound
// if it was not looked at.
func TestBurnAll(t *testing.T) {
	held := signing.Holding{Account: purse, Mint: coin, Amount: 1000}
	for name, c := range map[string]struct {
		judged signing.JudgedBy
		all    string
		holds  []signing.Holding
		reach  signing.Reach
		mint   string
		want   walletfi.Amount
	}{
		"a mint":        {all: coin.String(), holds: []signing.Holding{held}, mint: coin.String(), want: 1020},
		"an account":    {all: purse.String(), holds: []signing.Holding{held}, mint: coin.String(), want: 1020},
		"another mint":  {all: sol, holds: []signing.Holding{held}, mint: coin.String(), want: 20},
		"not looked at": {all: coin.String(), mint: coin.String(), want: math.MaxUint64},
		"accounts of tables": {
			all: coin.String(), holds: []signing.Holding{held}, reach: signing.Reach{Unknown: 1}, mint: coin.String(),
			want: math.MaxUint64,
		},
		"accounts unshown": {
			all: coin.String(), holds: []signing.Holding{held}, reach: signing.Reach{Unshown: 1}, mint: coin.String(),
			want: math.MaxUint64,
		},
		"both": {
			all: coin.String(), holds: []signing.Holding{held}, reach: signing.Reach{Unshown: 1, Unknown: 1},
			mint: coin.String(), want: math.MaxUint64,
		},
		"simulated": {judged: signing.BySimulation, all: coin.String(), mint: coin.String(), want: 20},
	} {
		t.Run(name, func(t *testing.T) {
			r := reported(c.judged)
			r.Intent.BurnAll, r.Holds, r.Reaches = []string{c.all}, c.holds, []signing.Reach{calls(0), calls(0), c.reach}
			require.Equal(t, c.want, AtWorst(r, 0).Of(c.mint).Amount)
		})
	}
}

// TestStep: a set in steps counts whole with its first step. What the steps before have taken is taken off.
func TestStep(t *testing.T) {
	later := signing.ByBytesUntilItsTurn
	r := reported(signing.BySimulation, later)
	r.Leaves = []signing.Movement{
		leaves(0, native, 40, signing.CountsAsSpend), leaves(1, native, 20, signing.CountsAsSpend),
		leaves(1, native, 3, signing.CountsAsTip),
	}
	r.Reaches = []signing.Reach{calls(0), calls(1)}
	now, rest := Step(r, 0, nil)
	require.Equal(t, Take{sol, 40 + 40 + 7 + 2 + 10, 2 + 10}, now.Of(sol))
	require.Equal(t, Take{sol, 20 + 3 + 340 + 10, 3 + 340 + 10}, rest.Of(sol))
	require.Equal(t, walletfi.Amount(20), now.Of(coin.String()).Amount)

	shown := Shown(r, 0)
	r.Transactions[0].JudgedBy, r.Transactions[1].JudgedBy = signing.ByExecution, signing.BySimulation
	r.Left = assets(native, 65) // 55 and the fee
	exact := Exact(shown, nil, r.Left)
	require.Equal(t, Take{sol, 65, 10}, exact.Of(sol))
	require.Equal(t, Take{sol, 55, 0}, Executed(r).Of(sol))
	now, rest = Step(r, 1, Executed(r))
	require.Equal(t, Take{sol, 20 + (100 - 55 - 20) + 7 + 3 + 2 + 10, 3 + 2 + 10}, now.Of(sol))
	require.Empty(t, rest)
	require.Equal(t, Take{sol, 50, 10}, Exact(shown, assets(native, 1), assets(native, 2)).Of(sol), "no less than shown")
	require.NotNil(t, Exact(nil, nil, nil), "nothing")
	exact = Exact(shown, append(assets(coin, 90), assets(native, 30)...), append(assets(native, 95), assets(coin, 92)...))
	require.Equal(t, []Take{{sol, 65, 10}, {coin.String(), 2, 0}}, []Take(exact), "by how much the loss has grown")

	r.Reaches = []signing.Reach{calls(0)}
	r.Transactions = append(r.Transactions, r.Transactions[1], r.Transactions[1])
	now, rest = Step(r, 1, nil)
	require.Equal(t, Take{sol, 20, 20}, rest.Of(sol), "the bytes bound it")
	require.Equal(t, Take{sol, 33, 13}, now.Of(sol), "the bytes bound it")
	r = reported(signing.BySimulation, later)
	r.Reaches = []signing.Reach{calls(1)}
	now, rest = Step(r, 0, nil)
	require.Equal(t, []Take{{sol, 10, 10}, {sol, 462, 355}}, []Take{now.Of(sol), rest.Of(sol)})
}
