// Package node is a Solana node: its JSON-RPC over the ledger.
package node

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Handler is the sandbox's Solana node: the part of its JSON-RPC that is
// needed to submit, confirm, simulate and look at accounts and blocks.
type Handler struct {
	*build.Chain
	node    play.Node
	era     context.Context
	second  int64 // of the last request
	counted int   // requests in that second
}

// New makes a node that behaves as n says. The lock is held.
func New(c *build.Chain, n play.Node) *Handler { return &Handler{Chain: c, node: n, era: c.Era()} }

// call is one call of a method.
type call struct {
	*build.Chain
	node   play.Node
	params []json.RawMessage
}

// callError is the error object of the protocol.
type callError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// The codes that nodes use.
const (
	parse         = -32700
	invalid       = -32600
	noMethod      = -32601
	params        = -32602
	internal      = -32603
	cleanedUp     = -32001
	preflight     = -32002
	signature     = -32003
	notAvailable  = -32004
	unhealthy     = -32005
	slotSkipped   = -32007
	noHistory     = -32011
	newerVersion  = -32015
	unhealthySlot = -32016
)

// methods are what the node answers.
var methods = map[string]func(c *call) any{
	"getAccountInfo":                    (*call).getAccountInfo,
	"getBalance":                        (*call).getBalance,
	"getBlock":                          (*call).getBlock,
	"getBlockCommitment":                (*call).getBlockCommitment,
	"getBlockHeight":                    (*call).getBlockHeight,
	"getBlockProduction":                (*call).getBlockProduction,
	"getBlockTime":                      (*call).getBlockTime,
	"getBlocks":                         (*call).getBlocks,
	"getBlocksWithLimit":                (*call).getBlocksWithLimit,
	"getClusterNodes":                   (*call).getClusterNodes,
	"getEpochInfo":                      (*call).getEpochInfo,
	"getEpochSchedule":                  (*call).getEpochSchedule,
	"getFeeForMessage":                  (*call).getFeeForMessage,
	"getFirstAvailableBlock":            (*call).getFirstAvailableBlock,
	"getGenesisHash":                    (*call).getGenesisHash,
	"getHealth":                         (*call).getHealth,
	"getHighestSnapshotSlot":            (*call).getHighestSnapshotSlot,
	"getIdentity":                       (*call).getIdentity,
	"getInflationGovernor":              (*call).getInflationGovernor,
	"getInflationRate":                  (*call).getInflationRate,
	"getInflationReward":                (*call).getInflationReward,
	"getLargestAccounts":                (*call).getLargestAccounts,
	"getLatestBlockhash":                (*call).getLatestBlockhash,
	"getLeaderSchedule":                 (*call).getLeaderSchedule,
	"getMaxRetransmitSlot":              (*call).getMaxRetransmitSlot,
	"getMaxShredInsertSlot":             (*call).getMaxShredInsertSlot,
	"getMinimumBalanceForRentExemption": (*call).getMinimumBalanceForRentExemption,
	"getMultipleAccounts":               (*call).getMultipleAccounts,
	"getProgramAccounts":                (*call).getProgramAccounts,
	"getRecentPerformanceSamples":       (*call).getRecentPerformanceSamples,
	"getRecentPrioritizationFees":       (*call).getRecentPrioritizationFees,
	"getSignatureStatuses":              (*call).getSignatureStatuses,
	"getSignaturesForAddress":           (*call).getSignaturesForAddress,
	"getSlot":                           (*call).getSlot,
	"getSlotLeader":                     (*call).getSlotLeader,
	"getSlotLeaders":                    (*call).getSlotLeaders,
	"getStakeMinimumDelegation":         (*call).getStakeMinimumDelegation,
	"getSupply":                         (*call).getSupply,
	"getTokenAccountBalance":            (*call).getTokenAccountBalance,
	"getTokenAccountsByDelegate":        (*call).getTokenAccountsByDelegate,
	"getTokenAccountsByOwner":           (*call).getTokenAccountsByOwner,
	"getTokenLargestAccounts":           (*call).getTokenLargestAccounts,
	"getTokenSupply":                    (*call).getTokenSupply,
	"getTransaction":                    (*call).getTransaction,
	"getTransactionCount":               (*call).getTransactionCount,
	"getVersion":                        (*call).getVersion,
	"getVoteAccounts":                   (*call).getVoteAccounts,
	"isBlockhashValid":                  (*call).isBlockhashValid,
	"minimumLedgerSlot":                 (*call).minimumLedgerSlot,
	"requestAirdrop":                    (*call).requestAirdrop,
	"sendTransaction":                   (*call).sendTransaction,
	"simulateBundle":                    (*call).simulateBundle,
	"simulateTransaction":               (*call).simulateTransaction,
}

// fill sets the result of a call, or the error that it panicked with.
func (a *answer) fill(run func() any) {
	a.Error = kit.Caught[callError](func() { a.Result = kit.MustJSON(run()) })
}

// fail is the error of a call: a method panics with it.
func fail(code int, format string, args ...any) *callError {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &callError{Code: code, Message: format}
}

// failIf fails the call if a condition holds.
func failIf(is bool, code int, format string, args ...any) {
	if is {
		panic(fail(code, format, args...))
	}
}

// bad is the error of parameters that cannot be read, in the words of the library that
// agave reads them with.
func bad(format string, args ...any) *callError {
	return fail(params, "Invalid params: "+format+".", args...)
}

// badIf fails the call as bad does if a condition holds.
func badIf(is bool, format string, args ...any) {
	failIf(is, params, "Invalid params: "+format+".", args...)
}

// tooMany counts a request and reports one beyond the node's limit.
func (h *Handler) tooMany() bool {
	if h.node.PerSecond == 0 {
		return false
	}
	h.Lock()
	defer h.Unlock()
	if now := h.Now().Unix(); now != h.second {
		h.second, h.counted = now, 0
	}
	h.counted++
	return h.counted > h.node.PerSecond
}
