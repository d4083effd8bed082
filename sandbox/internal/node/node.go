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
	node    play.Node
	params  []json.RawMessage
	dropped string // an unknown commitment
}

// readings checks how many parameters there are, and their types. If there are no optional ones, the types come
// first.
func (c *call) readings(shape string, least, most int) {
	if least == most && most > 0 {
		c.typed(shape, least)
	}
	c.counted(least, most)
	if least < most {
		c.typed(shape, least)
	}
}

// odd names a mistake in a call that nodes answer all the same, empty if there is none.
func (c *call) odd() string {
	if c.dropped == "" {
		return ""
	}
	return "unknown commitment " + c.dropped + ": nodes read it as finalized"
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

// method has how many parameters it must and may have.
type method struct {
	least, most int
	run         func(c *call) any
}

// methods are what the node answers.
var methods = map[string]method{
	"getAccountInfo":                    {1, 2, (*call).getAccountInfo},
	"getBalance":                        {1, 2, (*call).getBalance},
	"getBlock":                          {1, 2, (*call).getBlock},
	"getBlockCommitment":                {1, 1, (*call).getBlockCommitment},
	"getBlockHeight":                    {0, 1, (*call).getBlockHeight},
	"getBlockProduction":                {0, 1, (*call).getBlockProduction},
	"getBlockTime":                      {1, 1, (*call).getBlockTime},
	"getBlocks":                         {1, 3, (*call).getBlocks},
	"getBlocksWithLimit":                {2, 3, (*call).getBlocksWithLimit},
	"getClusterNodes":                   {0, 0, (*call).getClusterNodes},
	"getEpochInfo":                      {0, 1, (*call).getEpochInfo},
	"getEpochSchedule":                  {0, 0, (*call).getEpochSchedule},
	"getFeeForMessage":                  {1, 2, (*call).getFeeForMessage},
	"getFirstAvailableBlock":            {0, 0, (*call).getFirstAvailableBlock},
	"getGenesisHash":                    {0, 0, (*call).getGenesisHash},
	"getHealth":                         {0, 0, (*call).getHealth},
	"getHighestSnapshotSlot":            {0, 0, (*call).getHighestSnapshotSlot},
	"getIdentity":                       {0, 0, (*call).getIdentity},
	"getInflationGovernor":              {0, 1, (*call).getInflationGovernor},
	"getInflationRate":                  {0, 0, (*call).getInflationRate},
	"getInflationReward":                {1, 2, (*call).getInflationReward},
	"getLargestAccounts":                {0, 1, (*call).getLargestAccounts},
	"getLatestBlockhash":                {0, 1, (*call).getLatestBlockhash},
	"getLeaderSchedule":                 {0, 2, (*call).getLeaderSchedule},
	"getMaxRetransmitSlot":              {0, 0, (*call).getMaxRetransmitSlot},
	"getMaxShredInsertSlot":             {0, 0, (*call).getMaxShredInsertSlot},
	"getMinimumBalanceForRentExemption": {1, 2, (*call).getMinimumBalanceForRentExemption},
	"getMultipleAccounts":               {1, 2, (*call).getMultipleAccounts},
	"getProgramAccounts":                {1, 2, (*call).getProgramAccounts},
	"getRecentPerformanceSamples":       {0, 1, (*call).getRecentPerformanceSamples},
	"getRecentPrioritizationFees":       {0, 1, (*call).getRecentPrioritizationFees},
	"getSignatureStatuses":              {1, 2, (*call).getSignatureStatuses},
	"getSignaturesForAddress":           {1, 2, (*call).getSignaturesForAddress},
	"getSlot":                           {0, 1, (*call).getSlot},
	"getSlotLeader":                     {0, 1, (*call).getSlotLeader},
	"getSlotLeaders":                    {2, 2, (*call).getSlotLeaders},
	"getStakeMinimumDelegation":         {0, 1, (*call).getStakeMinimumDelegation},
	"getSupply":                         {0, 1, (*call).getSupply},
	"getTokenAccountBalance":            {1, 2, (*call).getTokenAccountBalance},
	"getTokenAccountsByDelegate":        {2, 3, (*call).getTokenAccountsByDelegate},
	"getTokenAccountsByOwner":           {2, 3, (*call).getTokenAccountsByOwner},
	"getTokenLargestAccounts":           {1, 2, (*call).getTokenLargestAccounts},
	"getTokenSupply":                    {1, 2, (*call).getTokenSupply},
	"getTransaction":                    {1, 2, (*call).getTransaction},
	"getTransactionCount":               {0, 1, (*call).getTransactionCount},
	"getVersion":                        {0, 0, (*call).getVersion},
	"getVoteAccounts":                   {0, 1, (*call).getVoteAccounts},
	"isBlockhashValid":                  {1, 2, (*call).isBlockhashValid},
	"minimumLedgerSlot":                 {0, 0, (*call).minimumLedgerSlot},
	"requestAirdrop":                    {2, 3, (*call).requestAirdrop},
	"sendTransaction":                   {1, 2, (*call).sendTransaction},
	"simulateBundle":                    {1, 2, (*call).simulateBundle},
	"simulateTransaction":               {1, 2, (*call).simulateTransaction},
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
