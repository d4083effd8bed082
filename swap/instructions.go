package swap

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Instructions holds a swap for callers who assemble the transaction
// themselves.
type Instructions struct {
	Instructions                []Instruction `json:"instructions" wire:"strict"`                  // in order
	AddressLookupTableAddresses []string      `json:"addressLookupTableAddresses" wire:"said,key"` // base58
	ComputeUnitLimit            uint64        `json:"computeUnitLimit" wire:"said,max=1400000"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// Intent returns the intent of the request. Check the finished transaction
// against it.
func (s *Instructions) Intent() walletfi.Intent { return s.intent.Clone() }

// Instruction is one instruction of a swap.
type Instruction struct {
	ProgramID string `json:"programId" wire:"required,key"` // base58
	// Accounts is nil if AccountsRaw has no objects with a pubkey: the form of an account
	// is not documented. One that has a pubkey must have the other members of it.
	Accounts    []AccountMeta     `json:"-"`
	AccountsRaw walletfi.Document `json:"accounts,omitzero" wire:"said,once"`
	Data        []byte            `json:"data" wire:"strict,said"` // base64 on the wire

	// Raw is the instruction as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// AccountMeta is one account of an instruction.
type AccountMeta struct {
	PublicKey  string `json:"pubkey" wire:"required,key"` // base58
	IsSigner   bool   `json:"isSigner" wire:"said"`
	IsWritable bool   `json:"isWritable" wire:"said"`
}

// problem reports that there is nothing to sign, or an instruction twice, which would do twice what
// the quote says once.
func (s *Instructions) problem() error {
	if len(s.Instructions) == 0 {
		return fmt.Errorf("field instructions: %w: there is none", walletfi.ErrDecode)
	}
	for i, one := range s.Instructions {
		isSame := func(o Instruction) bool {
			return o.ProgramID == one.ProgramID && bytes.Equal(o.Data, one.Data) && bytes.Equal(o.AccountsRaw, one.AccountsRaw)
		}
		if slices.ContainsFunc(s.Instructions[:i], isSame) {
			return fmt.Errorf("field instructions[%d]: %w: comes twice", i, walletfi.ErrDecode)
		}
	}
	return nil
}

// UnmarshalJSON reads an instruction, and its accounts if they have the usual
// shape.
func (i *Instruction) UnmarshalJSON(b []byte) error { return wire.Decode(b, i) }

func init() { wire.Reader(readInstruction) }

func readInstruction(s *wire.Scanner, i *Instruction) error {
	err := wire.Fields(s, i)
	i.Accounts = nil
	switch text := bytes.TrimSpace(i.AccountsRaw); {
	case err != nil || len(text) == 0 || string(text) == "null":
		return err
	case text[0] != '[':
		return &wire.FieldError{Path: "accounts", Problem: "is no list"}
	case string(text) != "[]" && !bytes.Contains(text, []byte(`"pubkey"`)):
		return nil
	}
	return wire.UnmarshalWaiving(i.AccountsRaw, &i.Accounts, s.Waives)
}

// MarshalJSON writes the accounts as they arrived, or Accounts if none arrived.
func (i Instruction) MarshalJSON() ([]byte, error) {
	type fields Instruction
	f := fields(i)
	if f.AccountsRaw.IsZero() && i.Accounts != nil {
		raw, err := json.Marshal(i.Accounts)
		if err != nil {
			return nil, err
		}
		f.AccountsRaw = raw
	}
	return json.Marshal(f)
}

// BuildSwapInstructions builds the instructions of a quote instead of a whole
// transaction. If the Freshness refuses the quote, the error is ErrQuoteTooOld
// or ErrPriceImpact.
//
// POST /swap-instructions. It moves nothing: safe to retry.
func (c *Client) BuildSwapInstructions(
	ctx context.Context, req BuildRequest, opts ...walletfi.CallOption,
) (*Instructions, error) {
	built, err := buildSwap[Instructions](ctx, c, transport.Call{
		Op: "BuildSwapInstructions", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/swap-instructions"), Answer: transport.Says("instructions:list"),
		Echo: transport.Echo(func(s *Instructions) error { return s.problem() }),
	}, &req, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}
