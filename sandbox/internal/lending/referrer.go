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
	code := kit.Or(in.ReferralCode, in.Referrer[:8])
	tx := l.Build(play.Lending, build.Unsigned{Owner: key, UnitLimit: units, Instructions: []solana.Instruction{
		l.Instruct(play.Lending, build.Effect{Owner: key, Work: initializing{l, in.Referrer, code}}),
	}})
	return c.Either(map[string]any{
		"transaction": tx.Base64(), "lastValidBlockHeight": tx.LastValidBlockHeight, "referralCode": code,
	}, map[string]any{
		"referrer":   map[string]any{"address": in.Referrer, "referralCode": code},
		"initialize": map[string]any{"transaction": tx.Base64(), "blockhash": tx.Blockhash},
	})
}

// initializing makes a referrer.
type initializing struct {
	l             *Service
	address, code string
}

// Done implements build.Doer.
func (x initializing) Done(*ledger.Receipt) {
	x.l.referrers[x.address] = &referrer{
		address: x.address, code: x.code, referred: 500_000_000, earnings: 2_500_000, count: 2, pending: 2_500_000,
	}
}

type referrerRequest struct {
	Referrer string `path:"referrerAddress" form:"key"`
}

func (l *Service) referrer(c *kit.Call, in referrerRequest) any {
	r := l.referrerOf(in.Referrer)
	return map[string]any{
		"referrer": r.address, "referralCode": r.code, "totalReferred": r.referred, "totalEarnings": r.earnings,
		"referralCount": r.count, "pendingRewards": r.pending,
	}
}

func (l *Service) referrerOf(address string) *referrer {
	return kit.Found(l.referrers[address], "the referrer does not exist")
}

type claimRequest struct {
	Referrer string `body:"referrer,required" form:"key"`
}

func (l *Service) claim(c *kit.Call, in claimRequest) any {
	r := l.referrerOf(in.Referrer)
	kit.RefuseIf(r.pending == 0, http.StatusBadRequest, insufficientBalance, "there is nothing to claim")
	key, usdc, amount := solana.MustPublicKeyFromBase58(in.Referrer), l.Token("USDC"), r.pending
	pay := build.Effect{
		Owner: key,
		Moves: []build.Move{{From: l.Vault(play.Lending), To: key, Token: usdc, Amount: amount}},
		Work:  claiming{r, amount},
	}
	tx := l.Build(play.Lending, build.Unsigned{Owner: key, UnitLimit: units, Instructions: []solana.Instruction{
		build.CreateAccount(key, key, usdc), l.Instruct(play.Lending, pay),
	}})
	return map[string]any{"transaction": tx.Base64(), "claimAmount": amount}
}

// claiming pays rewards out.
type claiming struct {
	by     *referrer
	amount uint64
}

// Check implements build.Checker.
func (x claiming) Check() { ledger.FailIf(x.by.pending < x.amount, ledger.Custom(6003)) }

// Done implements build.Doer.
func (x claiming) Done(*ledger.Receipt) { x.by.pending -= x.amount }
