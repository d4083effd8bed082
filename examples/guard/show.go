package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// shown are attacks that look like what was asked for.
var shown = []string{
	"SOL to an address that cannot be created/v0",
	"a payment to a stranger/v0",
	"the spend, and nothing back/v0",
}

// show refuses three attacks, and prints what a person reads before signing an
// honest swap.
func show(ctx context.Context, out io.Writer) error {
	key, attacks, err := victim()
	if err != nil {
		return err
	}
	for _, name := range shown {
		for _, a := range attacks {
			if a.Name != name {
				continue
			}
			_, _, err := hold.Guard(a.Case).SignSet(ctx, a.Unsigned, key, hold.Options(a.Case)...)
			var refusal *signing.GuardError
			if !errors.As(err, &refusal) {
				return fmt.Errorf("%s was not refused: %w", name, err)
			}
			fmt.Fprintf(out, "%s\n  rule     %s\n  found    %s\n  allowed  %s\n\n",
				a.Technique, refusal.Rule, refusal.Found, refusal.Allowed)
		}
	}
	return honest(ctx, out, key)
}

// honest prints the report of a swap with a referral fee, with symbols.
func honest(ctx context.Context, out io.Writer, key *signing.LocalKey) error {
	config := corpus.Config{Owner: key.PublicKey(), Seed: 1}
	tokens := signing.TokenList{}
	mints := corpus.NewLedger(config).Mints
	for i, symbol := range []string{"SOL", "SOL22", "USDC", "PUMP", "BONK"} { // in the ledger's order
		tokens[mints[i].Address] = signing.TokenInfo{Symbol: symbol, Decimals: mints[i].Decimals}
	}
	for _, b := range corpus.Benigns(config) {
		if b.Name != "swap: a swap with a referral fee in tokens/v0" {
			continue
		}
		policy := hold.Policy(b.Case)
		policy.Tokens = tokens
		_, report, err := signing.NewGuard(policy).CheckSet(ctx, b.Unsigned)
		if err != nil {
			return err
		}
		fmt.Fprint(out, report.Text())
		return nil
	}
	return errors.New("the corpus has no such swap")
}
