package rows

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/signing"
)

func guards() []Row {
	return []Row{
		{Group: "Signing", Name: "guard, worst set that it accepts", Unit: "ms", Goal: 20, Bound: 20, Measure: worstSet},
		{Group: "Signing", Name: "guard, a transaction of 64 instructions", Unit: "us", Goal: 194,
			Bound: 194, Measure: longTransaction},
	}
}

// guarded measures the guard over a set.
func guarded(e Effort, u walletfi.Unsigned, accept bool, unit time.Duration) (Figure, error) {
	guard, ctx := signing.NewGuard(signing.Policy{}), context.Background()
	results, err := turns.Run(e.plan(), by("walletfi", func() error {
		_, _, err := guard.CheckSet(ctx, u)
		if accept {
			return err
		}
		return want(err != nil, "accepted")
	}))
	if err != nil {
		return Figure{}, err
	}
	return Figure{Value: float64(results[0].Best) / float64(unit), Beside: results}, nil
}

func encoded(transactions ...[]byte) (all []walletfi.EncodedTransaction) {
	for _, raw := range transactions {
		all = append(all, walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw)))
	}
	return all
}

func longTransaction(e Effort) (Figure, error) {
	list := transfers(56, 1000, someKey("friend")) // with short memos, as many as fit
	for range 8 {
		list = append(list, solana.NewInstruction(solana.MemoProgramID, nil, []byte("m")))
	}
	raw, err := unsignedTx(list...)
	if err != nil {
		return Figure{}, err
	}
	return guarded(e, walletfi.Unsigned{Transactions: encoded(raw), Intent: walletfi.Intent{
		Service: "swap", Owner: payer().String(), OutputTo: []string{someKey("friend").String()},
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 56_000}},
	}}, true, time.Microsecond)
}

// worstSet is a set in which each transfer may be the spend, the tip or the fee, and
// that fits only if the last of the choices is made: the guard refuses a set for
// which it has to try more.
func worstSet(e Effort) (Figure, error) {
	worst := Figure{}
	for n := 2; n <= 16; n += 2 {
		u, err := searched(n, 20)
		if err != nil {
			return worst, err
		}
		_, _, err = signing.NewGuard(signing.Policy{}).CheckSet(context.Background(), u)
		f, err := guarded(Effort{Turns: min(e.Turns, 3), Turn: e.Turn}, u, err == nil, time.Millisecond)
		if err != nil {
			return worst, fmt.Errorf("%d transactions: %w", n, err)
		}
		if f.Value > worst.Value {
			worst = f
		}
	}
	return worst, nil
}

// searched is a set of so many transactions of so many transfers each.
func searched(transactions, each int) (walletfi.Unsigned, error) {
	const part = 1000
	u := walletfi.Unsigned{Intent: walletfi.Intent{
		Service: "swap", Owner: payer().String(), OutputTo: []string{someKey("friend").String()},
		Spend:       []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(part * (transactions*each - 6))}},
		TipLamports: 3 * part,
		ServiceFee:  []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 3 * part}},
	}}
	for range transactions {
		raw, err := unsignedTx(transfers(each, part, someKey("friend"))...)
		if err != nil {
			return u, err
		}
		u.Transactions = append(u.Transactions, encoded(raw)...)
	}
	return u, nil
}
