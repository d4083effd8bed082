package swap

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Instructions holds a swap for callers who assemble the transaction
// themselves.
type Instructions struct {
	Instructions                []Instruction `json:"instructions" wire:"strict"`                // in order
	AddressLookupTableAddresses []string      `json:"addressLookupTableAddresses" wire:"strict"` // base58
	ComputeUnitLimit            uint64        `json:"computeUnitLimit" wire:"decides"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// Intent returns the intent of the request. Check the finished transaction
// against it.
func (s *Instructions) Intent() walletfi.Intent { return s.intent.Clone() }

// Instruction is one instruction of a swap.
type Instruction struct {
	ProgramID string `json:"programId" wire:"required"` // base58
	// Accounts is nil if AccountsRaw is not an array of objects with a pubkey: the
	// form of an account is not documented.
	Accounts    []AccountMeta     `json:"-"`
	AccountsRaw walletfi.Document `json:"accounts,omitzero"`
	Data        []byte            `json:"data" wire:"strict"` // base64 on the wire

	// Raw is the instruction as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// AccountMeta is one account of an instruction.
type AccountMeta struct {
	PublicKey  string `json:"pubkey" wire:"required"` // base58
	IsSigner   bool   `json:"isSigner" wire:"strict,decides"`
	IsWritable bool   `json:"isWritable" wire:"strict,decides"`
}

// UnmarshalJSON reads an instruction, and its accounts if they have the usual
// shape.
func (i *Instruction) UnmarshalJSON(b []byte) error {
	type fields Instruction
	if err := wire.Decode(b, (*fields)(i)); err != nil {
		return err
	}
	i.Accounts = nil
	var accounts []AccountMeta
	if wire.Unmarshal(i.AccountsRaw, &accounts) == nil {
		i.Accounts = accounts
	}
	return nil
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
		Path: transport.Path("/swap-instructions"), Answer: transport.Lists("instructions"),
	}, &req, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}
