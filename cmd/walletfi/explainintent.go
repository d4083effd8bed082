package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// quick are the parts of an intent that have flags of their own.
type quick struct {
	owner, service, sponsor string
	spend, receive, burn    []string
	payTo, outputTo         []string
	coSigners, delegates    []string
	tip                     uint64
	pins                    []string
	blind                   bool
}

func (q *quick) flags(f *pflag.FlagSet) {
	f.StringVar(&q.owner, "owner", "", "the `address` that would sign; by default the fee payer")
	f.StringVar(&q.service, "service", "", "the `name` of the service that built it, such as lending")
	f.StringArrayVar(&q.pins, "pin", nil, "a `program` that the service may call; may be repeated")
	f.BoolVar(&q.blind, "blind", false, "let the service's transactions pass although nobody saw their outcome")
	f.StringArrayVar(&q.spend, "spend", nil, "the most that may leave the owner, `MINT:AMOUNT`; may be repeated")
	f.StringArrayVar(&q.receive, "receive", nil, "the least that should arrive, `MINT:AMOUNT`; may be repeated")
	f.StringArrayVar(&q.burn, "burn", nil, "the most that may be burned, `MINT:AMOUNT`; may be repeated")
	f.Uint64Var(&q.tip, "tip", 0, "the most that may be tipped, in `lamports`")
	f.StringArrayVar(&q.payTo, "pay-to", nil, "a payee's `address`; may be repeated")
	f.StringArrayVar(&q.outputTo, "output-to", nil, "an `address` that may get what is produced; may be repeated")
	f.StringVar(&q.sponsor, "sponsor", "", "the `address` that pays the fee instead of the owner")
	f.StringArrayVar(&q.coSigners, "co-signer", nil, "another signer's `address`; may be repeated")
	f.StringArrayVar(&q.delegates, "delegate", nil,
		"an `address` that may be approved to take what may be spent; may be repeated")
}

// addTo adds the flags to an intent, and reports whether they ask for anything: the
// owner and the service alone do not.
func (q *quick) addTo(intent *walletfi.Intent) (asked bool, err error) {
	for _, one := range []struct {
		flag, text string
		to         *string
	}{{"owner", q.owner, &intent.Owner}, {"sponsor", q.sponsor, &intent.Sponsor}} {
		if one.text == "" {
			continue
		}
		if err := addresses(one.flag, []string{one.text}); err != nil {
			return false, err
		}
		*one.to = one.text
	}
	if q.service != "" {
		intent.Service = q.service
	}
	for _, list := range []struct {
		flag  string
		texts []string
		to    *[]walletfi.Asset
	}{{"spend", q.spend, &intent.Spend}, {"receive", q.receive, &intent.Receive}, {"burn", q.burn, &intent.Burn}} {
		for _, text := range list.texts {
			asset, err := parseAsset(text)
			if err != nil {
				return false, usage("--%s: %w", list.flag, err)
			}
			*list.to = append(*list.to, asset)
			asked = true
		}
	}
	for _, list := range []struct {
		flag  string
		texts []string
		to    *[]string
	}{
		{"pay-to", q.payTo, &intent.PayTo}, {"output-to", q.outputTo, &intent.OutputTo},
		{"co-signer", q.coSigners, &intent.CoSigners}, {"delegate", q.delegates, &intent.Delegates},
	} {
		if err := addresses(list.flag, list.texts); err != nil {
			return false, err
		}
		*list.to = append(*list.to, list.texts...)
		asked = asked || len(list.texts) > 0
	}
	if q.tip > 0 {
		intent.TipLamports += walletfi.Amount(q.tip)
		asked = true
	}
	return asked || q.sponsor != "", nil
}

// addresses checks the addresses of a flag.
func addresses(flag string, texts []string) error {
	for _, text := range texts {
		if _, err := signing.ParsePublicKey(text); err != nil {
			return usage("--%s: %q is no address", flag, text)
		}
	}
	return nil
}

// parseAsset reads MINT:AMOUNT, the amount in smallest units.
func parseAsset(text string) (walletfi.Asset, error) {
	mint, amount, ok := strings.Cut(text, ":")
	if !ok {
		return walletfi.Asset{}, fmt.Errorf("%q is not of the form MINT:AMOUNT", text)
	}
	if mint == "SOL" {
		mint = signing.NativeMint.String()
	} else if _, err := signing.ParsePublicKey(mint); err != nil {
		return walletfi.Asset{}, fmt.Errorf("%q is no mint", mint)
	}
	n, err := strconv.ParseUint(amount, 10, 64)
	if err != nil {
		return walletfi.Asset{}, fmt.Errorf("%q is no amount in smallest units: whole, from 0 to 2^64-1", amount)
	}
	return walletfi.Asset{Mint: mint, Amount: walletfi.Amount(n)}, nil
}
