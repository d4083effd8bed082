package world

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
)

// nonceSize is the size of a nonce account's data.
const nonceSize = 80

// nonceData lays out the data of an initialized nonce account: version and
// state, the authority, the value and the fee of a signature.
func nonceData(authority Key, value Hash) []byte {
	b := make([]byte, 0, nonceSize)
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = append(b, authority[:]...)
	b = append(b, value[:]...)
	return binary.LittleEndian.AppendUint64(b, signatureFee)
}

// account reads the key that a call asks for, and begins the answer.
func (c *call) account() (k Key, b bank, err *rpcError) {
	if err = key58(k[:], c.param(0)); err != nil {
		return k, b, err
	}
	if b, err = c.bank(c.param(1)); err == nil {
		c.context(b.slot)
	}
	return k, b, err
}

func (c *call) getAccountInfo() *rpcError {
	k, b, err := c.account()
	if err != nil {
		return err
	}
	c.appendAccount(k, b, c.param(1))
	c.text(`}`)
	c.remark(k.String()[:6], " at ", strconv.FormatUint(b.slot, 10))
	return nil
}

// mostAccounts is how many accounts one call may ask for.
const mostAccounts = 100

func (c *call) getMultipleAccounts() *rpcError {
	list := c.param(0)
	if list.kind != jsonArray || len(list.item) > mostAccounts {
		return badParams("Too many inputs provided; max 100")
	}
	b, err := c.bank(c.param(1))
	if err != nil {
		return err
	}
	c.context(b.slot)
	c.text(`[`)
	for i := range list.item {
		var k Key
		if err := key58(k[:], &list.item[i]); err != nil {
			return err
		}
		c.comma(i)
		c.appendAccount(k, b, c.param(1))
	}
	c.text(`]}`)
	return nil
}

func (c *call) appendAccount(k Key, b bank, cfg *value) {
	lamports := c.w.lamports(k, b)
	if lamports == 0 {
		c.text(`null`)
		return
	}
	var data []byte
	if n := c.w.nonces[k]; n != nil {
		value := c.lieNonce(n.at(c.w.chain, b))
		data = nonceData(n.authority, value)
		c.remark("nonce ", value.String()[:6], " ")
	}
	size := len(data)
	if slice := cfg.get("dataSlice"); !slice.missing() {
		offset, _ := slice.get("offset").uint()
		length, _ := slice.get("length").uint()
		data = data[min(offset, uint64(size)):]
		data = data[:min(length, uint64(len(data)))]
	}
	c.text(`{"data":`)
	switch string(cfg.get("encoding").text) {
	case "base58":
		c.text(`[`)
		c.base58(data)
		c.text(`,"base58"]`)
	case "", "binary":
		c.base58(data)
	default:
		c.text(`["` + base64.StdEncoding.EncodeToString(data) + `","base64"]`)
	}
	c.text(`,"executable":false,"lamports":`)
	c.number(lamports)
	c.text(`,"owner":"11111111111111111111111111111111","rentEpoch":`)
	c.number(math.MaxUint64)
	c.text(`,"space":`)
	c.number(uint64(size))
	c.text(`}`)
}

func (c *call) getBalance() *rpcError {
	k, b, err := c.account()
	if err != nil {
		return err
	}
	c.number(c.w.lamports(k, b))
	c.text(`}`)
	return nil
}

// getRent is getMinimumBalanceForRentExemption. Rent itself is not modeled.
func (c *call) getRent() *rpcError {
	size, ok := c.param(0).uint()
	if !ok || size > 10<<20 {
		return badParams("Invalid params: expected a size.")
	}
	c.number((128 + size) * 6960)
	return nil
}

func (c *call) getPriorityFees() *rpcError {
	c.text(`[`)
	for i, slot := range c.w.chain.blocks(c.view.tip, c.view.tip.slot-20, c.view.tip.slot, nil) {
		c.comma(i)
		c.text(`{"prioritizationFee":0,"slot":`)
		c.number(slot)
		c.text(`}`)
	}
	c.text(`]`)
	return nil
}
