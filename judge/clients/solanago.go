package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	confirm "github.com/gagliardetto/solana-go/rpc/sendAndConfirmTransaction"
	"github.com/gagliardetto/solana-go/rpc/ws"
)

// probe is a method of solana-go's client. It returns whether the answer is right.
type probe struct {
	name string
	ask  func(ctx context.Context) (bool, error)
}

// ours runs the probes of solana-go.
func ours(w world) []result {
	var all []result
	for _, p := range probes(w) {
		all = append(all, result{"solana-go", p.name, p.run()})
	}
	return all
}

// patience is how long a probe may take: SendAndConfirmTransaction waits for 32 slots.
const patience = 25 * time.Second

// run returns why the probe failed, and nothing if it did not.
func (p probe) run() (failure string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			failure = fmt.Sprint("panic: ", cause) // an answer that is not there is nil
		}
	}()
	right, err := p.ask(ctx)
	switch {
	case err != nil:
		return brief(err)
	case !right:
		return "wrong answer"
	}
	return ""
}

// brief is an error in a line. That of the client's calls spreads over many.
func brief(err error) string {
	var refused *jsonrpc.RPCError
	if errors.As(err, &refused) {
		return fmt.Sprintf("%d %s", refused.Code, refused.Message)
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// has makes a probe of a call and a check of what it returns.
func has[T any](name string, call func(ctx context.Context) (T, error), right func(v T) bool) probe {
	return probe{name, func(ctx context.Context) (bool, error) {
		v, err := call(ctx)
		return err == nil && right(v), err
	}}
}

func positive(n uint64) bool { return n > 0 }

// subject has the accounts and the client that the probes share.
type subject struct {
	w                   world
	c                   *rpc.Client
	owner, mint, holder solana.PublicKey
	signature           solana.Signature
	pay                 func(ctx context.Context) (*solana.Transaction, error)
}

func probes(w world) []probe {
	private := make([]byte, len(w.Secret))
	for n, b := range w.Secret {
		private[n] = byte(b)
	}
	s := subject{
		w: w, c: rpc.New(w.URL), owner: solana.MustPublicKeyFromBase58(w.Address),
		mint: solana.MustPublicKeyFromBase58(w.Mint), holder: solana.MustPublicKeyFromBase58(w.Holder),
		signature: solana.MustSignatureFromBase58(w.Signature),
	}
	s.pay = func(ctx context.Context) (*solana.Transaction, error) { return payment(ctx, s.c, private) }
	return slices.Concat(s.blockProbes(), s.stateProbes(), s.transactionProbes(), subscriptions(w, s.c, s.pay))
}

// blockProbes are those of blocks, and of accounts and fees.
func (s *subject) blockProbes() []probe {
	c := s.c
	owner := s.owner
	holder := s.holder
	w := s.w
	pay := s.pay
	const confirmed = rpc.CommitmentConfirmed
	version := uint64(0)
	last := s.w.Slot + 2
	return []probe{
		has("GetAccountInfo", func(ctx context.Context) (*rpc.GetAccountInfoResult, error) {
			return c.GetAccountInfo(ctx, holder)
		}, func(v *rpc.GetAccountInfoResult) bool { return len(v.GetBinary()) == 165 }),
		has("GetAccountInfoWithOpts zstd", func(ctx context.Context) (*rpc.GetAccountInfoResult, error) {
			return c.GetAccountInfoWithOpts(ctx, holder, &rpc.GetAccountInfoOpts{Encoding: solana.EncodingBase64Zstd})
		}, func(v *rpc.GetAccountInfoResult) bool { return len(v.GetBinary()) == 165 }),
		has("GetBalance", func(ctx context.Context) (*rpc.GetBalanceResult, error) {
			return c.GetBalance(ctx, owner, confirmed)
		}, func(v *rpc.GetBalanceResult) bool { return v.Value > 90*solana.LAMPORTS_PER_SOL }),
		has("GetBlockWithOpts", func(ctx context.Context) (*rpc.GetBlockResult, error) {
			return c.GetBlockWithOpts(ctx, w.Slot, &rpc.GetBlockOpts{
				Encoding: solana.EncodingBase64, Commitment: confirmed, MaxSupportedTransactionVersion: &version})
		}, func(v *rpc.GetBlockResult) bool { return len(v.Transactions) > 0 && v.BlockTime != nil }),
		has("GetBlockHeight", func(ctx context.Context) (uint64, error) {
			return c.GetBlockHeight(ctx, confirmed)
		}, positive),
		has("GetBlockTime", func(ctx context.Context) (*solana.UnixTimeSeconds, error) {
			return c.GetBlockTime(ctx, w.Slot)
		}, func(v *solana.UnixTimeSeconds) bool { return *v > 0 }),
		has("GetBlocks", func(ctx context.Context) (rpc.BlocksResult, error) {
			return c.GetBlocks(ctx, w.Slot, &last, confirmed)
		}, func(v rpc.BlocksResult) bool { return v[0] == w.Slot }),
		has("GetBlocksWithLimit", func(ctx context.Context) (*rpc.BlocksResult, error) {
			return c.GetBlocksWithLimit(ctx, w.Slot, 2, confirmed)
		}, func(v *rpc.BlocksResult) bool { return len(*v) == 2 }),
		has("GetEpochInfo", func(ctx context.Context) (*rpc.GetEpochInfoResult, error) {
			return c.GetEpochInfo(ctx, confirmed)
		}, func(v *rpc.GetEpochInfoResult) bool { return v.SlotIndex < v.SlotsInEpoch && v.TransactionCount != nil }),
		has("GetEpochSchedule", c.GetEpochSchedule,
			func(v *rpc.GetEpochScheduleResult) bool { return v.SlotsPerEpoch > 0 }),
		has("GetFeeForMessage", func(ctx context.Context) (*rpc.GetFeeForMessageResult, error) {
			tx, err := pay(ctx)
			if err != nil {
				return nil, err
			}
			text, err := tx.Message.MarshalBinary()
			if err != nil {
				return nil, err
			}
			return c.GetFeeForMessage(ctx, base64.StdEncoding.EncodeToString(text), confirmed)
		}, func(v *rpc.GetFeeForMessageResult) bool { return *v.Value == 5000 }),
		has("GetFirstAvailableBlock", c.GetFirstAvailableBlock, func(v uint64) bool { return v <= w.Slot }),
	}
}

// stateProbes are those of the state of the ledger and of tokens.
func (s *subject) stateProbes() []probe {
	c := s.c
	owner := s.owner
	mint := s.mint
	holder := s.holder
	signature := s.signature
	w := s.w
	const confirmed = rpc.CommitmentConfirmed
	return []probe{
		has("GetGenesisHash", c.GetGenesisHash, func(v solana.Hash) bool { return v != solana.Hash{} }),
		has("GetHealth", c.GetHealth, func(v string) bool { return v == rpc.HealthOk }),
		has("GetIdentity", c.GetIdentity, func(v *rpc.GetIdentityResult) bool { return !v.Identity.IsZero() }),
		has("GetLatestBlockhash", func(ctx context.Context) (*rpc.GetLatestBlockhashResult, error) {
			return c.GetLatestBlockhash(ctx, confirmed)
		}, func(v *rpc.GetLatestBlockhashResult) bool { return v.Value.LastValidBlockHeight > 0 }),
		has("GetMinimumBalanceForRentExemption", func(ctx context.Context) (uint64, error) {
			return c.GetMinimumBalanceForRentExemption(ctx, 165, confirmed)
		}, func(v uint64) bool { return v == 2_039_280 }),
		has("GetMultipleAccounts", func(ctx context.Context) (*rpc.GetMultipleAccountsResult, error) {
			return c.GetMultipleAccounts(ctx, mint, holder)
		}, func(v *rpc.GetMultipleAccountsResult) bool { return len(v.Value[0].Data.GetBinary()) == 82 }),
		has("GetProgramAccountsWithOpts", func(ctx context.Context) (rpc.GetProgramAccountsResult, error) {
			return c.GetProgramAccountsWithOpts(ctx, solana.TokenProgramID, &rpc.GetProgramAccountsOpts{
				Filters: []rpc.RPCFilter{{DataSize: 165}, {Memcmp: &rpc.RPCFilterMemcmp{Offset: 32, Bytes: owner[:]}}}})
		}, func(v rpc.GetProgramAccountsResult) bool { return len(v) > 0 }),
		has("GetRecentPrioritizationFees", func(ctx context.Context) ([]rpc.PriorizationFeeResult, error) {
			return c.GetRecentPrioritizationFees(ctx, solana.PublicKeySlice{owner})
		}, func(v []rpc.PriorizationFeeResult) bool { return len(v) > 0 }),
		has("GetSignatureStatuses", func(ctx context.Context) (*rpc.GetSignatureStatusesResult, error) {
			return c.GetSignatureStatuses(ctx, true, signature)
		}, func(v *rpc.GetSignatureStatusesResult) bool { return v.Value[0].Slot == w.Slot }),
		has("GetSignaturesForAddress", func(ctx context.Context) ([]*rpc.TransactionSignature, error) {
			return c.GetSignaturesForAddress(ctx, owner)
		}, func(v []*rpc.TransactionSignature) bool { return len(v) > 0 }),
		has("GetSlot", func(ctx context.Context) (uint64, error) { return c.GetSlot(ctx, confirmed) }, positive),
		has("GetSlotLeader", func(ctx context.Context) (solana.PublicKey, error) {
			return c.GetSlotLeader(ctx, confirmed)
		}, func(v solana.PublicKey) bool { return !v.IsZero() }),
		has("GetSupply", func(ctx context.Context) (*rpc.GetSupplyResult, error) {
			return c.GetSupply(ctx, confirmed)
		}, func(v *rpc.GetSupplyResult) bool { return v.Value.Total > 0 }),
		has("GetTokenAccountBalance", func(ctx context.Context) (*rpc.GetTokenAccountBalanceResult, error) {
			return c.GetTokenAccountBalance(ctx, holder, confirmed)
		}, func(v *rpc.GetTokenAccountBalanceResult) bool { return v.Value.Decimals == 6 }),
		has("GetTokenAccountsByOwner", func(ctx context.Context) (*rpc.GetTokenAccountsResult, error) {
			return c.GetTokenAccountsByOwner(ctx, owner, &rpc.GetTokenAccountsConfig{Mint: &mint}, nil)
		}, func(v *rpc.GetTokenAccountsResult) bool { return v.Value[0].Pubkey == holder }),
		has("GetTokenAccountsByDelegate", func(ctx context.Context) (*rpc.GetTokenAccountsResult, error) {
			return c.GetTokenAccountsByDelegate(ctx, owner, &rpc.GetTokenAccountsConfig{Mint: &mint}, nil)
		}, func(v *rpc.GetTokenAccountsResult) bool { return len(v.Value) == 0 }),
		has("GetTokenLargestAccounts", func(ctx context.Context) (*rpc.GetTokenLargestAccountsResult, error) {
			return c.GetTokenLargestAccounts(ctx, mint, confirmed)
		}, func(v *rpc.GetTokenLargestAccountsResult) bool { return len(v.Value) > 0 }),
		has("GetTokenSupply", func(ctx context.Context) (*rpc.GetTokenSupplyResult, error) {
			return c.GetTokenSupply(ctx, mint, confirmed)
		}, func(v *rpc.GetTokenSupplyResult) bool { return v.Value.Decimals == 6 }),
	}
}

// transactionProbes are those of transactions and nodes.
func (s *subject) transactionProbes() []probe {
	c := s.c
	signature := s.signature
	w := s.w
	pay := s.pay
	const confirmed = rpc.CommitmentConfirmed
	version := uint64(0)
	return []probe{
		has("GetTransaction", func(ctx context.Context) (*rpc.GetTransactionResult, error) {
			return c.GetTransaction(ctx, signature, &rpc.GetTransactionOpts{
				Commitment: confirmed, MaxSupportedTransactionVersion: &version})
		}, func(v *rpc.GetTransactionResult) bool { return v.Meta.Fee == 5000 && v.Slot == w.Slot }),
		has("GetParsedTransaction", func(ctx context.Context) (*rpc.GetParsedTransactionResult, error) {
			return c.GetParsedTransaction(ctx, signature, &rpc.GetParsedTransactionOpts{
				Commitment: confirmed, MaxSupportedTransactionVersion: &version})
		}, func(v *rpc.GetParsedTransactionResult) bool {
			return v.Transaction.Message.Instructions[0].Program == "system"
		}),
		has("GetTransactionCount", func(ctx context.Context) (uint64, error) {
			return c.GetTransactionCount(ctx, confirmed)
		}, positive),
		has("GetVersion", c.GetVersion, func(v *rpc.GetVersionResult) bool { return v.SolanaCore != "" }),
		has("IsBlockhashValid", func(ctx context.Context) (*rpc.IsValidBlockhashResult, error) {
			latest, err := c.GetLatestBlockhash(ctx, confirmed)
			if err != nil {
				return nil, err
			}
			return c.IsBlockhashValid(ctx, latest.Value.Blockhash, confirmed)
		}, func(v *rpc.IsValidBlockhashResult) bool { return v.Value }),
		has("MinimumLedgerSlot", c.MinimumLedgerSlot, func(v uint64) bool { return v <= w.Slot }),
		has("RequestAirdrop", func(ctx context.Context) (solana.Signature, error) {
			return c.RequestAirdrop(ctx, solana.NewWallet().PublicKey(), solana.LAMPORTS_PER_SOL, confirmed)
		}, func(v solana.Signature) bool { return !v.IsZero() }),
		has("SendTransaction", func(ctx context.Context) (solana.Signature, error) {
			tx, err := pay(ctx)
			if err != nil {
				return solana.Signature{}, err
			}
			return c.SendTransaction(ctx, tx)
		}, func(v solana.Signature) bool { return !v.IsZero() }),
		has("SimulateTransaction", func(ctx context.Context) (*rpc.SimulateTransactionResponse, error) {
			tx, err := pay(ctx)
			if err != nil {
				return nil, err
			}
			return c.SimulateTransaction(ctx, tx)
		}, func(v *rpc.SimulateTransactionResponse) bool { return v.Value.Err == nil && *v.Value.UnitsConsumed > 0 }),
	}
}

// subscriptions are the probes of solana-go's client of the WebSocket.
func subscriptions(w world, c *rpc.Client, pay func(ctx context.Context) (*solana.Transaction, error)) []probe {
	owner := solana.MustPublicKeyFromBase58(w.Address)
	connected := func(f func(ctx context.Context, socket *ws.Client) error) func(ctx context.Context) (bool, error) {
		return func(ctx context.Context) (bool, error) {
			socket, err := ws.Connect(ctx, w.Socket)
			if err != nil {
				return false, err
			}
			defer socket.Close()
			return true, f(ctx, socket)
		}
	}
	send := func(ctx context.Context) error {
		tx, err := pay(ctx)
		if err == nil {
			_, err = c.SendTransaction(ctx, tx)
		}
		return err
	}
	const confirmed = rpc.CommitmentConfirmed
	return []probe{
		{"AccountSubscribe", connected(heard(send, func(s *ws.Client) (*ws.AccountSubscription, error) {
			return s.AccountSubscribe(owner, confirmed)
		}, func(*ws.AccountResult) bool { return true }))},
		{"LogsSubscribeMentions", connected(heard(send, func(s *ws.Client) (*ws.LogSubscription, error) {
			return s.LogsSubscribeMentions(owner, confirmed)
		}, func(v *ws.LogResult) bool { return len(v.Value.Logs) > 0 }))},
		{"ProgramSubscribe", connected(heard(send, func(s *ws.Client) (*ws.ProgramSubscription, error) {
			return s.ProgramSubscribe(solana.SystemProgramID, confirmed)
		}, func(*ws.ProgramResult) bool { return true }))},
		{"RootSubscribe", connected(heard(nil, (*ws.Client).RootSubscribe, func(*ws.RootResult) bool { return true }))},
		{"SlotSubscribe", connected(heard(nil, (*ws.Client).SlotSubscribe, func(*ws.SlotResult) bool { return true }))},
		{"SendAndConfirmTransaction", connected(func(ctx context.Context, socket *ws.Client) error {
			tx, err := pay(ctx)
			if err == nil {
				_, err = confirm.SendAndConfirmTransaction(ctx, c, socket, tx)
			}
			return err
		})},
	}
}

// heard subscribes, sends something if it is told to, and holds what comes.
func heard[S interface {
	Recv(context.Context) (T, error)
}, T any](
	send func(ctx context.Context) error, subscribe func(*ws.Client) (S, error), right func(T) bool,
) func(ctx context.Context, socket *ws.Client) error {
	return func(ctx context.Context, socket *ws.Client) error {
		sub, err := subscribe(socket)
		if err != nil {
			return err
		}
		if send != nil {
			if err := send(ctx); err != nil {
				return err
			}
		}
		v, err := sub.Recv(ctx)
		if err == nil && !right(v) {
			err = errors.New("what came is not right")
		}
		return err
	}
}
