package world

import (
	"encoding/base64"
	"strconv"
)

// strangerExecution makes up the execution of a stranger's transaction.
func (c *call) strangerExecution(slot uint64, index int) *execution {
	m, err := parseTransaction(c.w.chain.strangerBytes(slot, index))
	if err != nil {
		panic("world: stranger's transaction: " + err.Error())
	}
	on, _ := c.w.chain.block(slot)
	e := &execution{
		tx:     &transaction{message: m, id: m.signatures[0]},
		on:     on,
		fee:    signatureFee,
		before: []uint64{1_000_000_000, 1},
		after:  []uint64{1_000_000_000 - signatureFee, 1},
	}
	if c.w.chain.strangerFailed(slot, index) {
		e.err = strangerErr
	}
	return e
}

func (c *call) getTransaction() *rpcError {
	var s Signature
	if err := key58(s[:], c.param(0)); err != nil {
		return err
	}
	if stop, err := c.history(); stop {
		return err
	}
	cfg := c.param(1)
	if cfg.kind == jsonString {
		cfg = member("encoding", cfg)
	}
	level, err := c.settled(cfg)
	if err != nil {
		return err
	}
	if c.node.cfg.Newer {
		if err := c.reached(cfg, c.view.at(level)); err != nil {
			return err
		}
	}
	c.about = append(c.about, s)
	f, ok := c.transaction(s, level)
	f, ok = c.lieOf(s, f, ok)
	e := c.executionOf(s, f)
	if !ok || e == nil {
		c.text(`null`)
		c.remark("null")
		return nil
	}
	c.text(`{"slot":`)
	c.number(e.on.slot)
	c.text(`,"blockTime":`)
	c.unix(e.on.slot)
	c.text(`,`)
	err = c.appendTransaction(e, cfg)
	c.text(`}`)
	c.remark("in ", strconv.FormatUint(e.on.slot, 10), " ", e.err)
	return err
}

// transaction finds a transaction in the node's store.
func (c *call) transaction(s Signature, level commitment) (found, bool) {
	if f, ok := c.stored(s); ok {
		return f, ok
	}
	if level != confirmed {
		return found{}, false
	}
	f, ok := c.look(s, c.view.confirmed)
	if !ok || c.w.chain.contains(c.view.final, f.on.slot) {
		return found{}, false // what is final is the store's to know
	}
	return f, true
}

// executionOf returns what to show of a find, or nil if there is nothing.
func (c *call) executionOf(s Signature, f found) *execution {
	if f.done != nil {
		return f.done
	}
	if slot, index, ok := c.w.chain.stranger(s); ok {
		return c.strangerExecution(slot, index)
	}
	t := c.w.txs[s]
	if t == nil {
		return nil
	}
	zero := make([]uint64, len(t.keys))
	return &execution{tx: t, on: f.on, err: f.err, fee: t.fee(), before: zero, after: zero}
}

// appendTransaction writes the members that describe a transaction.
func (c *call) appendTransaction(e *execution, cfg *value) *rpcError {
	t := e.tx
	newest, asked := cfg.get("maxSupportedTransactionVersion").uint()
	if t.version >= 0 && (!asked || newest < uint64(t.version)) {
		return &rpcError{
			code: codeVersion,
			message: "Transaction version (0) is not supported by the requesting client. " +
				"Please try the request again with the following configuration parameter: " +
				`"maxSupportedTransactionVersion": 0`,
		}
	}
	c.text(`"meta":{"computeUnitsConsumed":150,"err":`)
	c.orNull(e.err)
	c.text(`,"fee":`)
	c.number(e.fee)
	c.text(`,"innerInstructions":[],"loadedAddresses":{"readonly":[],"writable":[]},"logMessages":[]`)
	c.numbers(`,"postBalances":[`, e.after)
	c.text(`,"postTokenBalances":[]`)
	c.numbers(`,"preBalances":[`, e.before)
	c.text(`,"preTokenBalances":[],"rewards":[],"status":`)
	if e.err == "" {
		c.text(`{"Ok":null}},"transaction":`)
	} else {
		c.text(`{"Err":` + e.err + `}},"transaction":`)
	}
	switch string(cfg.get("encoding").text) {
	case "base64":
		c.text(`["` + base64.StdEncoding.EncodeToString(t.raw) + `","base64"]`)
	case "base58":
		c.text(`[`)
		c.base58(t.raw)
		c.text(`,"base58"]`)
	default:
		c.appendMessage(t.message)
	}
	switch {
	case !asked:
	case t.version < 0:
		c.text(`,"version":"legacy"`)
	default:
		c.text(`,"version":` + strconv.Itoa(t.version))
	}
	return nil
}

func (c *call) numbers(open string, list []uint64) {
	c.text(open)
	for i, n := range list {
		c.comma(i)
		c.number(n)
	}
	c.text(`]`)
}

// appendMessage writes a transaction in the encoding "json".
func (c *call) appendMessage(m *message) {
	c.text(`{"message":{"accountKeys":[`)
	for i := range m.keys {
		c.comma(i)
		c.base58(m.keys[i][:])
	}
	if m.version >= 0 {
		c.text(`],"addressTableLookups":[`)
	}
	c.text(`],"header":{"numReadonlySignedAccounts":`)
	c.number(uint64(m.readSigned))
	c.text(`,"numReadonlyUnsignedAccounts":`)
	c.number(uint64(m.readOther))
	c.text(`,"numRequiredSignatures":`)
	c.number(uint64(m.signers))
	c.text(`},"instructions":[`)
	for i := range m.steps {
		c.comma(i)
		c.appendInstruction(&m.steps[i])
	}
	c.text(`],"recentBlockhash":`)
	c.base58(m.blockhash[:])
	c.text(`},"signatures":[`)
	for i := range m.signatures {
		c.comma(i)
		c.base58(m.signatures[i][:])
	}
	c.text(`]}`)
}

func (c *call) appendInstruction(s *instruction) {
	c.text(`{"accounts":[`)
	for i, a := range s.accounts {
		c.comma(i)
		c.number(uint64(a))
	}
	c.text(`],"data":`)
	c.base58(s.data)
	c.text(`,"programIdIndex":`)
	c.number(uint64(s.program))
	c.text(`,"stackHeight":1}`)
}
