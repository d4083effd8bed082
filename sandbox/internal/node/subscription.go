package node

import (
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// subscription is one of a connection.
type subscription struct {
	conn   *kit.FeedConn
	kind   string // the name of its methods and notifications
	key    string // equal of those that are to the same
	number uint64

	to         []any // what it is to, besides the commitment
	commitment string
	reached    uint64 // the newest slot at the commitment

	// These say what is told of a slot that reaches the commitment: one of them, or of sysvars
	// slot and of other accounts landed. landed has what is told in a context, of transactions
	// of one slot.
	slot   func(c *call, slot uint64) []any
	landed func(c *call, slot uint64, all []*ledger.Receipt) []any

	signature solana.Signature // of the kind signature, which has neither
	received  bool
}

// kind is a subscription, with how many parameters it must and may have.
type kind struct {
	least, most int
	make        func(c *call) *subscription
}

// kinds are the subscriptions that there are. Like most nodes, this one has no voteSubscribe.
var kinds = map[string]kind{
	"account":      {1, 2, (*call).toAccount},
	"block":        {1, 2, (*call).toBlocks},
	"program":      {1, 2, (*call).toProgram},
	"logs":         {1, 2, (*call).toLogs},
	"signature":    {1, 2, (*call).toSignature},
	"slot":         {0, 0, (*call).toSlots},
	"root":         {0, 0, (*call).toRoots},
	"slotsUpdates": {0, 0, (*call).toSlotsUpdates},
}

// tell notifies of a value in the context of a slot.
func (x *subscription) tell(slot uint64, value any) {
	x.push(notice(slot, value))
}

// notice is a value in the context of a slot.
func notice(slot uint64, value any) any {
	return map[string]any{"context": map[string]uint64{"slot": slot}, "value": value}
}

func (x *subscription) tellAll(slot uint64, values []any) {
	for _, v := range values {
		x.tell(slot, v)
	}
}

func (x *subscription) push(result any) {
	x.conn.Push(map[string]any{
		"jsonrpc": "2.0",
		"method":  x.kind + "Notification",
		"params":  map[string]any{"result": result, "subscription": x.number},
	})
}

// subscribed reads the i-th parameter, with the defaults of subscriptions.
func (c *call) subscribed(i int, filtered any) (config config) {
	c.param(i, false, &config)
	c.param(i, false, filtered)
	if config.Commitment == "" {
		config.Commitment = finalized
	}
	if config.Encoding == "" {
		config.Encoding = "binary"
	}
	config.MinContextSlot = nil // of no effect here
	accountJSON(solana.PublicKey{}, &ledger.Account{}, config)
	return config
}

// named reads the first parameter as the address that is subscribed to.
func (c *call) named() solana.PublicKey {
	var text string
	c.param(0, true, &text)
	return address(text, "pubkey")
}

// address reads a text as a subscription's address.
func address(text, thing string) solana.PublicKey {
	key, err := solana.PublicKeyFromBase58(text)
	failIf(err != nil, params, "Invalid Request: Invalid %s provided", thing)
	return key
}

// toAccount tells of an account that a transaction or, of a sysvar, the bank has stored, as it is
// after the slot.
func (c *call) toAccount() *subscription {
	key, config := c.named(), c.subscribed(1, &struct{}{})
	x := &subscription{to: []any{key, config}, commitment: config.Commitment}
	x.landed = func(c *call, slot uint64, all []*ledger.Receipt) []any {
		if !slices.Contains(written(all), key) {
			return nil
		}
		config.look = c.lookAt(slot)
		return []any{toldAccount(key, config.look(key), config)}
	}
	if slices.Contains(ledger.Sysvars(), key) {
		x.slot = func(c *call, slot uint64) []any {
			config.look = c.lookAt(slot)
			if !slices.Contains(c.SysvarsWritten(slot), key) {
				return nil
			}
			return []any{notice(slot, toldAccount(key, config.look(key), config))}
		}
	}
	return x
}

// toProgram tells of those accounts of a program that transactions or the bank have stored.
func (c *call) toProgram() *subscription {
	var wanted struct {
		Filters []filter `json:"filters"`
	}
	program, config := c.named(), c.subscribed(1, &wanted)
	verify(wanted.Filters)
	told := func(c *call, slot uint64, keys []solana.PublicKey) (told []any) {
		config.look = c.lookAt(slot)
		for _, key := range keys {
			a := config.look(key)
			if a != nil && a.Owner == program && matches(a, wanted.Filters) {
				told = append(told, map[string]any{"pubkey": key, "account": toldAccount(key, a, config)})
			}
		}
		return told
	}
	x := &subscription{to: []any{program, config, wanted}, commitment: config.Commitment}
	x.landed = func(c *call, slot uint64, all []*ledger.Receipt) []any { return told(c, slot, written(all)) }
	if program == ledger.SysvarProgram {
		x.slot = func(c *call, slot uint64) []any {
			return kit.List(told(c, slot, c.SysvarsWritten(slot)), func(v any) any { return notice(slot, v) })
		}
	}
	return x
}

// written lists each account once that transactions have stored.
func written(all []*ledger.Receipt) (keys []solana.PublicKey) {
	for _, r := range all {
		for _, key := range r.Written() {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// toldAccount writes an account as a notification does. One that is gone is empty.
func toldAccount(key solana.PublicKey, a *ledger.Account, config config) any {
	if a == nil {
		a = &ledger.Account{Owner: solana.SystemProgramID}
	}
	var told any
	if kit.Caught[callError](func() { told = accountJSON(key, a, config) }) == nil {
		return told
	}
	encoding := config.Encoding
	config.Encoding = "base64"
	large := accountJSON(key, a, config).(map[string]any)
	large["data"] = "error: data too large for bs58 encoding"
	if encoding == "base58" {
		large["data"] = []any{large["data"], encoding}
	}
	return large
}

// toLogs tells of transactions, failed ones too: of all, of all and votes, or of those
// that name an address.
func (c *call) toLogs() *subscription {
	kind, mentioned := c.logsFilter()
	config := c.subscribed(1, &struct{}{})
	return &subscription{to: []any{kind, mentioned}, commitment: config.Commitment,
		landed: func(_ *call, _ uint64, all []*ledger.Receipt) (told []any) {
			for _, r := range all {
				vote := slices.Contains(r.Keys, solana.VoteProgramID)
				if kind == "all" && vote || kind == "mentions" && !slices.Contains(r.Keys, mentioned) {
					continue
				}
				told = append(told, map[string]any{
					"signature": r.Signature, "err": orNull(r.Err), "logs": append([]string{}, r.Logs...),
				})
			}
			return told
		}}
}

// logsFilter reads the first parameter: a word, or an object with one address.
func (c *call) logsFilter() (kind string, mentioned solana.PublicKey) {
	var filter any
	c.param(0, true, &filter)
	if kind, _ = filter.(string); kind == "all" || kind == "allWithVotes" {
		return kind, mentioned
	}
	var of struct {
		Mentions []string `json:"mentions"`
	}
	badIf(kind != "", "unknown variant `%s`, expected one of `all`, `allWithVotes`, `mentions`", kind)
	c.param(0, true, &of)
	failIf(len(of.Mentions) != 1, params, "Invalid Request: Only 1 address supported")
	return "mentions", address(of.Mentions[0], "mentions")
}

// toSignature tells what became of a transaction, once.
func (c *call) toSignature() *subscription {
	var text string
	c.param(0, true, &text)
	signature, err := solana.SignatureFromBase58(text)
	failIf(err != nil, params, "Invalid Request: Invalid signature provided")
	var wants struct {
		Received bool `json:"enableReceivedNotification"`
	}
	config := c.subscribed(1, &wants)
	return &subscription{
		to: []any{signature, wants}, commitment: config.Commitment, signature: signature, received: wants.Received,
	}
}

// toSlots tells of each block that the node begins.
func (c *call) toSlots() *subscription {
	return &subscription{commitment: processed, slot: func(c *call, slot uint64) []any {
		return []any{map[string]uint64{
			"parent": c.BlockAt(slot - 1), "root": c.BlockAt(slot - kit.Finality), "slot": slot,
		}}
	}}
}

// toRoots tells of each slot that can no longer be undone.
func (c *call) toRoots() *subscription {
	return &subscription{commitment: finalized, slot: func(_ *call, slot uint64) []any { return []any{slot} }}
}

// toSlotsUpdates tells what the node does with each slot: it has the block before in
// full, begins the next, and learns how far the vote on older ones is.
func (c *call) toSlotsUpdates() *subscription {
	return &subscription{commitment: processed, slot: func(c *call, slot uint64) []any {
		at := c.Now().UnixMilli()
		before := c.BlockAt(slot - 1)
		update := func(kind string, slot uint64) map[string]any {
			return map[string]any{"type": kind, "slot": slot, "timestamp": at}
		}
		frozen, created := update("frozen", before), update("createdBank", slot)
		frozen["stats"], created["parent"] = c.entries(before), before
		return []any{
			update("completed", before), frozen, update("firstShredReceived", slot), created,
			update("optimisticConfirmation", before), update("root", c.BlockAt(slot-kit.Finality)),
		}
	}}
}

// entries counts the transactions of a block, each in an entry of its own.
func (c *call) entries(slot uint64) map[string]int {
	block, failed := c.Block(slot), 0
	for _, r := range block {
		if r.Err != nil {
			failed++
		}
	}
	return map[string]int{
		"numTransactionEntries": len(block), "numSuccessfulTransactions": len(block) - failed,
		"numFailedTransactions": failed, "maxTransactionsPerEntry": 1,
	}
}
