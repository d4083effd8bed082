package signer

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// floor checks the floor of a pin.
func (c *checker) floor(where string, pin Pin) {
	if pin.Floor == nil {
		return
	}
	c.that(pin.MustBeOurs != nil && slices.Contains(*pin.MustBeOurs, pin.Floor.To),
		"%s: account %d of its floor is not in must_be_ours", where, pin.Floor.To)
	c.that(len(pin.Instructions) > 0, "%s has a floor, and not the instructions that have it", where)
	for _, text := range pin.Instructions {
		c.that(pin.Floor.Least >= hex.DecodedLen(len(text)) && pin.Floor.Least < maxData,
			"%s: the floor at byte %d is within instruction %q, or beyond its data", where, pin.Floor.Least, text)
	}
}

// maxData bounds the place of a floor: no transaction has more bytes.
const maxData = 4096

// floor returns the least that the one call of a program pays, as its pin says. Two calls have no floor: one may take
// what the other has paid.
func (m *meter) floor() *Trade {
	var calls []signing.Instruction
	for _, ins := range m.tx.Instructions() {
		if len(m.policy.pinned(m.report.Service, ins.Program)) > 0 {
			calls = append(calls, ins)
		}
	}
	if len(calls) != 1 {
		return nil
	}
	var found *Trade
	for _, pin := range m.policy.pinned(m.report.Service, calls[0].Program) {
		if !pin.matches(calls[0].Data) || pin.Floor == nil || !m.oursAt(calls[0].Accounts, *pin.MustBeOurs) {
			continue
		}
		t := m.floorOf(pin.Floor, calls[0])
		if t == nil || found != nil && (t.Bought != found.Bought || t.Least != found.Least) {
			return nil
		}
		found = t
	}
	return found
}

// pinned are the pins of a program that a service may call.
func (p *Policy) pinned(service string, program signing.PublicKey) []Pin {
	return slices.DeleteFunc(slices.Clone(p.pinsOf(service)), func(pin Pin) bool { return pin.Program != program })
}

// floorOf reads the least amount, and of which mint it is by the account's derivation.
func (m *meter) floorOf(f *Floor, call signing.Instruction) *Trade {
	if len(call.Data) < f.Least+8 || m.policy.Prices == nil {
		return nil
	}
	to := m.accounts[call.Accounts[f.To]]
	for _, priced := range m.policy.Prices.Mints {
		mint := signing.MustPublicKey(string(priced.Mint))
		for _, program := range []signing.PublicKey{signing.TokenProgram, signing.Token2022Program} {
			if to == signing.AssociatedTokenAddress(m.owner.Key, mint, program) {
				return &Trade{Bought: priced.Mint, Least: most(binary.LittleEndian.Uint64(call.Data[f.Least:]))}
			}
		}
	}
	return nil
}
