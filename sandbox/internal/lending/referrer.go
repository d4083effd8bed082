package lending

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// referrer is a wallet that referred others. Rewards are USDC.
type referrer struct {
	address  string
	code     string
	referred uint64 // deposits of those referred, smallest units
	earnings uint64 // ever
	count    int
	pending  uint64 // not yet claimed
}

type initializeRequest struct {
	Referrer     string  `body:"referrer,required" form:"key"`
	ReferralCode *string `body:"referralCode" open:"any text"`
}

// initializeReferrer answers in one of two shapes: the shape is undocumented.
// The referrer exists after the transaction was executed, with two made-up
// referrals.
func (l *Service) initializeReferrer(c *kit.Call, in initializeRequest) any {
	key := c.Key(in.Referrer, "referrer")
	kit.BadIf(l.referrers[in.Referrer] != nil, "the referrer is initialized already")
	code := in.Referrer[:8]
	if in.ReferralCode != nil {
		code = *in.ReferralCode
	}
	tx := l.Build(play.Lending, build.Unsigned{Owner: key, UnitLimit: units, Instructions: []solana.Instruction{
		l.Instruct(play.Lending, build.Effect{Owner: key, Done: func(*ledger.Receipt) {
			l.referrers[in.Referrer] = &referrer{
				address: in.Referrer, code: code, referred: 500_000_000, earnings: 2_500_000, count: 2, pending: 2_500_000,
			}
		}}),
	}})
	if c.Shape(2) == 0 {
		return map[string]any{
			"transaction":          tx.Base64(),
			"lastValidBlockHeight": tx.LastValidBlockHeight,
			"referralCode":         code,
		}
	}
	return map[string]any{
		"referrer":   map[string]any{"address": in.Referrer, "referralCode": code},
		"initialize": map[string]any{"transaction": tx.Base64(), "blockhash": tx.Blockhash},
	}
}

type referrerRequest struct {
	Referrer string `path:"referrerAddress" form:"key"`
}

type referrerAnswer struct {
	Referrer       string `json:"referrer"`
	ReferralCode   string `json:"referralCode"`
	TotalReferred  uint64 `json:"totalReferred"`
	TotalEarnings  uint64 `json:"totalEarnings"`
	ReferralCount  int    `json:"referralCount"`
	PendingRewards uint64 `json:"pendingRewards"`
}

func (l *Service) referrer(c *kit.Call, in referrerRequest) *referrerAnswer {
	r := l.referrerOf(c, in.Referrer)
	return &referrerAnswer{r.address, r.code, r.referred, r.earnings, r.count, r.pending}
}

func (l *Service) referrerOf(c *kit.Call, address string) *referrer {
	c.Key(address, "referrer")
	r, ok := l.referrers[address]
	kit.RefuseIf(!ok, http.StatusNotFound, "", "the referrer does not exist")
	return r
}

type claimRequest struct {
	Referrer string `body:"referrer,required" form:"key"`
}

type claimAnswer struct {
	Transaction string `json:"transaction"`
	ClaimAmount uint64 `json:"claimAmount"`
}

func (l *Service) claim(c *kit.Call, in claimRequest) *claimAnswer {
	r := l.referrerOf(c, in.Referrer)
	kit.RefuseIf(r.pending == 0, http.StatusBadRequest, insufficientBalance, "there is nothing to claim")
	key, usdc, amount := solana.MustPublicKeyFromBase58(in.Referrer), l.Token("USDC"), r.pending
	pay := build.Effect{
		Owner: key,
		Moves: []build.Move{{From: l.Vault(play.Lending), To: key, Token: usdc, Amount: amount}},
		Check: func() {
			ledger.FailIf(r.pending < amount, ledger.Custom(6003))
		},
		Done: func(*ledger.Receipt) { r.pending -= amount },
	}
	tx := l.Build(play.Lending, build.Unsigned{Owner: key, UnitLimit: units, Instructions: []solana.Instruction{
		build.CreateAccount(key, key, usdc), l.Instruct(play.Lending, pay),
	}})
	return &claimAnswer{tx.Base64(), amount}
}
