package sandbox

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// lendingReferrer is who brought others. Rewards are USDC.
type lendingReferrer struct {
	address  string
	code     string
	referred uint64 // deposits of those referred, smallest units
	earnings uint64 // ever
	count    int
	pending  uint64 // not yet claimed
}

type lendingInitializeRequest struct {
	Referrer     string  `body:"referrer,required"`
	ReferralCode *string `body:"referralCode"`
}

// initializeReferrer answers in one of two shapes, since none is documented. A
// referrer exists once the transaction was executed, with two referrals to
// show.
func (l *lending) initializeReferrer(c *call, in lendingInitializeRequest) (any, error) {
	key, err := c.key(in.Referrer, "referrer")
	if err != nil {
		return nil, err
	}
	if l.referrers[in.Referrer] != nil {
		return nil, refuse(http.StatusBadRequest, "", "the referrer is initialized already")
	}
	code := in.Referrer[:8]
	if in.ReferralCode != nil {
		code = *in.ReferralCode
	}
	tx, err := l.build(Lending, unsigned{owner: key, unitLimit: lendingUnits, instructions: []solana.Instruction{
		l.instruct(Lending, effect{owner: key, done: func(*ledger.Receipt) {
			l.referrers[in.Referrer] = &lendingReferrer{
				address: in.Referrer, code: code, referred: 500_000_000, earnings: 2_500_000, count: 2, pending: 2_500_000,
			}
		}}),
	}})
	if err != nil {
		return nil, err
	}
	if c.shape(2) == 0 {
		return map[string]any{"transaction": tx.base64(), "lastValidBlockHeight": tx.LastValidBlockHeight, "referralCode": code}, nil
	}
	return map[string]any{
		"referrer":   map[string]any{"address": in.Referrer, "referralCode": code},
		"initialize": map[string]any{"transaction": tx.base64(), "blockhash": tx.Blockhash},
	}, nil
}

type lendingReferrerRequest struct {
	Referrer string `path:"referrerAddress"`
}

type lendingReferrerAnswer struct {
	Referrer       string `json:"referrer"`
	ReferralCode   string `json:"referralCode"`
	TotalReferred  uint64 `json:"totalReferred"`
	TotalEarnings  uint64 `json:"totalEarnings"`
	ReferralCount  int    `json:"referralCount"`
	PendingRewards uint64 `json:"pendingRewards"`
}

func (l *lending) referrer(c *call, in lendingReferrerRequest) (*lendingReferrerAnswer, error) {
	r, err := l.referrerOf(c, in.Referrer)
	if err != nil {
		return nil, err
	}
	return &lendingReferrerAnswer{r.address, r.code, r.referred, r.earnings, r.count, r.pending}, nil
}

func (l *lending) referrerOf(c *call, address string) (*lendingReferrer, error) {
	if _, err := c.key(address, "referrer"); err != nil {
		return nil, err
	}
	r, ok := l.referrers[address]
	if !ok {
		return nil, refuse(http.StatusNotFound, "", "there is no such referrer")
	}
	return r, nil
}

type lendingClaimRequest struct {
	Referrer string `body:"referrer,required"`
}

type lendingClaimAnswer struct {
	Transaction string `json:"transaction"`
	ClaimAmount uint64 `json:"claimAmount"`
}

func (l *lending) claim(c *call, in lendingClaimRequest) (*lendingClaimAnswer, error) {
	r, err := l.referrerOf(c, in.Referrer)
	if err != nil {
		return nil, err
	}
	if r.pending == 0 {
		return nil, refuse(http.StatusBadRequest, lendingInsufficientBalance, "there is nothing to claim")
	}
	key, usdc, amount := solana.MustPublicKeyFromBase58(in.Referrer), l.token("USDC"), r.pending
	pay := effect{
		owner: key,
		moves: []move{{l.vault(Lending), key, usdc, amount}},
		check: func() *ledger.InstructionError {
			if r.pending < amount {
				return ledger.Custom(6003)
			}
			return nil
		},
		done: func(*ledger.Receipt) { r.pending -= amount },
	}
	tx, err := l.build(Lending, unsigned{owner: key, unitLimit: lendingUnits, instructions: []solana.Instruction{
		createAccount(key, key, usdc), l.instruct(Lending, pay),
	}})
	if err != nil {
		return nil, err
	}
	return &lendingClaimAnswer{tx.base64(), amount}, nil
}
