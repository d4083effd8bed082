package world

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mr-tron/base58"
)

// apiVersion is what the nodes say they run.
const apiVersion = "3.1.8"

// call is one JSON-RPC call at one node.
type call struct {
	w       *World
	node    *Node
	view    view
	at      int64 // the time as of which it is answered
	method  string
	params  []value
	key     uint64 // identifies the question
	lie     Liar
	shown   uint64 // a liar's context slot
	out     []byte
	profile *Profile
	note    []byte // for the trace
	about   []Signature
}

// rpcError is an error of JSON-RPC.
type rpcError struct {
	code    int
	message string
	data    string // JSON, or empty
}

// Error codes of nodes.
const (
	codeCleanedUp      = -32001
	codePreflight      = -32002
	codeSignature      = -32003
	codeBlock          = -32004
	codeUnhealthy      = -32005
	codeSkipped        = -32007
	codeStorageSkipped = -32009
	codeNoHistory      = -32011
	codeNotYet         = -32014
	codeVersion        = -32015
	codeContext        = -32016
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeParams         = -32602
	codeParse          = -32700
)

func badParams(message string) *rpcError { return &rpcError{code: codeParams, message: message} }

var errMethod = &rpcError{code: codeNoMethod, message: "Method not found"}

// methods are the calls that nodes answer.
var methods map[string]func(*call) *rpcError

func init() {
	methods = map[string]func(*call) *rpcError{
		"getAccountInfo":                    (*call).getAccountInfo,
		"getBalance":                        (*call).getBalance,
		"getBlock":                          (*call).getBlock,
		"getBlockHeight":                    (*call).getBlockHeight,
		"getBlocks":                         (*call).getBlocks,
		"getBlocksWithLimit":                (*call).getBlocksWithLimit,
		"getBlockTime":                      (*call).getBlockTime,
		"getEpochInfo":                      (*call).getEpochInfo,
		"getFeeForMessage":                  (*call).getFeeForMessage,
		"getFirstAvailableBlock":            (*call).getFirstAvailableBlock,
		"getGenesisHash":                    (*call).getGenesisHash,
		"getHealth":                         (*call).getHealth,
		"getLatestBlockhash":                (*call).getLatestBlockhash,
		"getMinimumBalanceForRentExemption": (*call).getRent,
		"getMultipleAccounts":               (*call).getMultipleAccounts,
		"getRecentPrioritizationFees":       (*call).getPriorityFees,
		"getSignatureStatuses":              (*call).getSignatureStatuses,
		"getSignaturesForAddress":           (*call).getSignaturesForAddress,
		"getSlot":                           (*call).getSlot,
		"getTransaction":                    (*call).getTransaction,
		"getVersion":                        (*call).getVersion,
		"isBlockhashValid":                  (*call).isBlockhashValid,
		"minimumLedgerSlot":                 (*call).minimumLedgerSlot,
		"sendTransaction":                   (*call).sendTransaction,
		"simulateTransaction":               (*call).simulateTransaction,
	}
}

// answer appends the response to a call with an id.
func (c *call) answer(out []byte, id []byte) []byte {
	c.out = append(out, `{"jsonrpc":"2.0","result":`...)
	run := methods[c.method]
	err := errMethod
	if run != nil && !slices.Contains(c.profile.Refuse, c.method) {
		err = run(c)
	}
	if err != nil {
		c.out = append(c.out[:len(out)], `{"jsonrpc":"2.0","error":`...)
		c.out = err.append(c.out)
		c.remark("error ", strconv.Itoa(err.code), " ", err.message)
	}
	c.out = append(c.out, `,"id":`...)
	c.out = append(c.out, id...)
	return append(c.out, '}')
}

func (e *rpcError) append(out []byte) []byte {
	out = append(out, `{"code":`...)
	out = strconv.AppendInt(out, int64(e.code), 10)
	out = append(out, `,"message":`...)
	out = strconv.AppendQuote(out, e.message)
	if e.data != "" {
		out = append(out, `,"data":`...)
		out = append(out, e.data...)
	}
	return append(out, '}')
}

// param returns a parameter, absent if there is none.
func (c *call) param(i int) *value {
	if i < len(c.params) {
		return &c.params[i]
	}
	return &nothing
}

// commitment reads the commitment of a configuration object.
func (c *call) commitment(cfg *value) (commitment, *rpcError) {
	v := cfg.get("commitment")
	if v.missing() {
		return finalized, nil
	}
	switch string(v.text) {
	case "processed", "recent", "single":
		return processed, nil
	case "confirmed":
		return confirmed, nil
	case "finalized":
		return finalized, nil
	}
	return 0, badParams("Invalid params: unknown commitment.")
}

// settled is commitment for methods that refuse processed.
func (c *call) settled(cfg *value) (commitment, *rpcError) {
	level, err := c.commitment(cfg)
	if err == nil && level == processed {
		err = badParams("Method does not support commitment below `confirmed`")
	}
	return level, err
}

// bank returns the bank for a configuration's commitment, if it has reached
// minContextSlot.
func (c *call) bank(cfg *value) (bank, *rpcError) {
	level, err := c.commitment(cfg)
	if err != nil {
		return bank{}, err
	}
	b := c.view.at(level)
	return b, c.reached(cfg, b)
}

func (c *call) reached(cfg *value, b bank) *rpcError {
	v := cfg.get("minContextSlot")
	if v.missing() {
		return nil
	}
	least, ok := v.uint()
	if !ok {
		return badParams("Invalid params: minContextSlot.")
	}
	if b.slot >= least {
		return nil
	}
	return &rpcError{
		code:    codeContext,
		message: "Minimum context slot has not been reached",
		data:    `{"contextSlot":` + strconv.FormatUint(b.slot, 10) + `}`,
	}
}

// key58 reads an address, blockhash or signature into dst.
func key58(dst []byte, v *value) *rpcError {
	if v.kind != jsonString {
		return badParams("Invalid params: expected a string.")
	}
	if decode58(dst, string(v.text)) != nil {
		return badParams("Invalid param: Invalid")
	}
	return nil
}

// context opens a result with its context.
func (c *call) context(slot uint64) {
	if c.shown > 0 {
		slot = c.shown
	}
	c.text(`{"context":{"apiVersion":"` + apiVersion + `","slot":`)
	c.number(slot)
	c.text(`},"value":`)
}

func (c *call) text(s string)    { c.out = append(c.out, s...) }
func (c *call) number(n uint64)  { c.out = strconv.AppendUint(c.out, n, 10) }
func (c *call) base58(b []byte)  { c.text(`"` + base58.Encode(b) + `"`) }
func (c *call) comma(i int)      { c.out = append(c.out, ","[:min(i, 1)]...) }
func (c *call) bool(b bool)      { c.out = strconv.AppendBool(c.out, b) }
func (c *call) orNull(s string)  { c.text(cmp.Or(s, "null")) }
func (c *call) unix(slot uint64) { c.number(uint64(c.w.started.Unix() + c.w.chain.begins(slot)/1e9)) }

// remark adds to what the trace says of the call.
func (c *call) remark(parts ...string) {
	if c.w.trace == nil {
		return
	}
	for _, p := range parts {
		c.note = append(c.note, p...)
	}
}
