package main

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go/signing"
)

// allows has the flag that states what a rule misses. What has none, no flag allows.
var allows = map[signing.Rule]string{
	signing.RuleSigners:           "--owner, --sponsor or --co-signer",
	signing.RuleLifetime:          "--nonce ACCOUNT:VALUE",
	signing.RuleLookup:            "--node",
	signing.RuleTip:               "--tip LAMPORTS",
	signing.RuleArrival:           "--receive MINT:AMOUNT",
	signing.RuleBlind:             "--node, or --blind",
	signing.RuleApproval:          "--delegate ADDRESS",
	signing.RuleSystemTransfer:    "--spend SOL:LAMPORTS and --pay-to ADDRESS",
	signing.RuleSystemNonce:       "--nonce ACCOUNT:VALUE",
	signing.RuleTokenTransfer:     "--spend MINT:AMOUNT",
	signing.RuleTokenApprove:      "--delegate ADDRESS",
	signing.RuleTokenBurn:         "--burn MINT:AMOUNT",
	signing.RuleRent:              "--policy FILE with maxRentLamports",
	signing.RuleNetworkFee:        "--policy FILE with maxNetworkFeeLamports",
	signing.RulePinnedCall:        "--policy FILE with typedPins",
	signing.RuleProtectedAccount:  "--policy FILE with fewer protected",
	signing.RuleSimulationSpend:   "--spend MINT:AMOUNT",
	signing.RuleSimulationArrival: "--receive MINT:AMOUNT",
}

// refusal is the error after a report that was printed. The report has said why, once; this
// says which rule it was and which flag would have let it pass.
func refusal(err error, stated bool) error {
	refused, ok := errors.AsType[*signing.GuardError](err)
	if !ok {
		return err
	}
	text := fmt.Sprintf("refused by rule %s: no flag allows that", refused.Rule)
	if flag := allows[refused.Rule]; flag != "" {
		text = fmt.Sprintf("refused by rule %s: only if you know it and asked for it, %s allows it", refused.Rule, flag)
	}
	if refused.Rule == signing.RuleUnknownProgram {
		text = fmt.Sprintf("refused by rule %s: only if you know it and asked for it, --service NAME --pin %s allows it",
			refused.Rule, refused.Program)
	}
	if !stated {
		text += " (no intent was stated: it was held against one that spends nothing)"
	}
	return &statusError{statusRefused, errors.New(text)}
}
