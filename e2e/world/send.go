package world

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"
)

// decodeParam reads a transaction or message from a parameter.
func decodeParam(v *value, encoding string) ([]byte, *rpcError) {
	if v.kind != jsonString {
		return nil, badParams("Invalid params: expected a string.")
	}
	if encoding == "base64" {
		raw, err := base64.StdEncoding.DecodeString(string(v.text))
		if err != nil {
			return nil, badParams("invalid base64 encoding: " + err.Error())
		}
		return raw, nil
	}
	raw, err := base58.Decode(string(v.text))
	if err != nil {
		return nil, badParams("invalid base58 encoding: " + err.Error())
	}
	return raw, nil
}

// sent reads the transaction that a client sent.
func (c *call) sent(cfg *value) (*transaction, *rpcError) {
	raw, err := decodeParam(c.param(0), string(cfg.get("encoding").text))
	if err != nil {
		return nil, err
	}
	t, bad := c.w.learn(raw)
	if bad != nil {
		const what = "failed to deserialize solana_transaction::versioned::VersionedTransaction: "
		return nil, badParams(what + bad.Error())
	}
	c.about = append(c.about, t.id)
	return t, nil
}

func (c *call) sendTransaction() *rpcError {
	cfg := c.param(1)
	t, err := c.sent(cfg)
	if err != nil {
		return err
	}
	if cfg.get("skipPreflight").isTrue() {
		if err := c.reached(cfg, c.view.tip); err != nil {
			return err
		}
	} else if err := c.preflight(t, cfg); err != nil {
		return err
	}
	again := c.w.cfg.Landing.Rebroadcast
	if n, ok := cfg.get("maxRetries").uint(); ok {
		again = int(min(n, uint64(again)))
	}
	if c.lie != LiarSwallow && c.w.genuine(t) {
		c.w.send(t, c.node.seed, c.view.clock, again)
	}
	c.base58(t.id[:])
	c.remark("took ", short(t.id))
	return nil
}

// preflight simulates a transaction before it is sent on.
func (c *call) preflight(t *transaction, cfg *value) *rpcError {
	level, err := c.commitment(member("commitment", cfg.get("preflightCommitment")))
	if err != nil {
		return err
	}
	b := c.view.at(level)
	if err := c.reached(cfg, b); err != nil {
		return err
	}
	if !c.w.genuine(t) {
		return &rpcError{code: codeSignature, message: "Transaction signature verification failure"}
	}
	if err := c.unhealthy(); err != nil {
		return err
	}
	refused, _ := c.simulate(t, b)
	if refused == "" {
		return nil
	}
	c.remark("at ", strconv.FormatUint(b.slot, 10), " ")
	return &rpcError{
		code:    codePreflight,
		message: "Transaction simulation failed: " + explain(refused),
		data: `{"accounts":null,"err":` + refused + `,"innerInstructions":null,"loadedAccountsDataSize":0,` +
			`"logs":[],"replacementBlockhash":null,"returnData":null,"unitsConsumed":0}`,
	}
}

// simulate runs a transaction on top of a bank.
func (c *call) simulate(t *transaction, b bank) (refused string, e effects) {
	if refused := c.w.check(t, b, b); refused != "" {
		return refused, effects{}
	}
	e = c.w.run(t, b, b)
	return e.err, e
}

// explain puts an error in the words of a node.
func explain(err string) string {
	switch err {
	case errBlockhash:
		return "Blockhash not found"
	case errProcessed:
		return "This transaction has already been processed"
	case errNoAccount:
		return "Attempt to debit an account but found no record of a prior credit."
	case errFunds:
		return "Insufficient funds for fee"
	case errUnknownTable:
		return "Transaction loads an address table account that doesn't exist"
	}
	rest, ok := strings.CutPrefix(err, `{"InstructionError":[`)
	step, reason, found := strings.Cut(rest, ",")
	if !ok || !found {
		return err
	}
	reason = strings.TrimSuffix(reason, "]}")
	if code, custom := strings.CutPrefix(reason, `{"Custom":`); custom {
		n, _ := strconv.ParseUint(strings.TrimSuffix(code, "}"), 10, 32)
		reason = "custom program error: 0x" + strconv.FormatUint(n, 16)
	}
	return "Error processing Instruction " + step + ": " + strings.Trim(reason, `"`)
}

func (c *call) simulateTransaction() *rpcError {
	cfg := c.param(1)
	raw, err := decodeParam(c.param(0), string(cfg.get("encoding").text))
	if err != nil {
		return err
	}
	m, bad := parseTransaction(raw)
	if bad != nil {
		return badParams(bad.Error())
	}
	b, err := c.bank(cfg)
	if err != nil {
		return err
	}
	t := &transaction{message: m, id: m.signatures[0], fate: c.w.fateOf(m)}
	if cfg.get("replaceRecentBlockhash").isTrue() {
		m.blockhash = c.w.chain.blockhash(b.slot)
	} else if cfg.get("sigVerify").isTrue() && !m.verify() {
		return &rpcError{code: codeSignature, message: "Transaction signature verification failure"}
	}
	c.w.place(t)
	refused, e := c.simulate(t, b)
	c.context(b.slot)
	c.text(`{"accounts":null,"err":`)
	c.orNull(refused)
	c.text(`,"innerInstructions":null,"logs":[],"replacementBlockhash":null,"returnData":null,"unitsConsumed":`)
	c.number(uint64(150 * min(len(e.before), 1)))
	c.text(`}}`)
	c.remark("simulated: ", refused)
	return nil
}

func (c *call) getFeeForMessage() *rpcError {
	raw, err := decodeParam(c.param(0), "base64")
	if err != nil {
		return err
	}
	m, bad := parseMessage(raw)
	if bad != nil {
		return badParams(bad.Error())
	}
	b, err := c.bank(c.param(1))
	if err != nil {
		return err
	}
	t := &transaction{message: m}
	c.w.place(t)
	c.context(b.slot)
	known := t.lives && c.w.chain.contains(b, t.born.slot) && c.w.ages.valid(t.born.height, b.height)
	if known || c.w.freshNonce(t, b, b) {
		c.number(m.fee())
	} else {
		c.text(`null`)
	}
	c.text(`}`)
	return nil
}
