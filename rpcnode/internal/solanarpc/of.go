// Package solanarpc gives package solanago the client within a rpcnode.Client, so that no
// exported method of rpcnode names solana-go's types.
package solanarpc

import "github.com/gagliardetto/solana-go/rpc"

// Of returns the client within a *rpcnode.Client. Package rpcnode sets it.
var Of func(node any) *rpc.Client
