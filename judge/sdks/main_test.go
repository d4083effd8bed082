package main

import (
	"os"
	"testing"

	"github.com/walletfi/walletfi-go/deployment"
)

// TestVendors: the file is a deployment, and each program is there.
func TestVendors(t *testing.T) {
	if _, err := deployment.Load("vendors.json"); err != nil {
		t.Error(err)
	}
	for _, f := range fewest {
		if _, err := os.Stat(f.program); err != nil {
			t.Error(err)
		}
	}
}
