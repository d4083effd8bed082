package sandbox

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type (
	// Tenant is one of many users of a sandbox who do not meet: see [play.Tenant].
	Tenant = play.Tenant
	// TenantAccess is all that a tenant's programs need.
	TenantAccess = play.TenantAccess
	// ServiceAccess is all that a program needs to call a service.
	ServiceAccess = play.ServiceAccess
)

// AddTenant adds a tenant to those of [play.Config.Tenants]. It fails if its name or a key is
// malformed or another's.
func AddTenant(s *Sandbox, t Tenant) (TenantAccess, error) {
	t, err := s.world().Admit(t)
	if err != nil {
		return TenantAccess{}, err
	}
	return s.access(t), nil
}

// Tenants returns the tenants in the order in which they were added.
func Tenants(s *Sandbox) []TenantAccess { return kit.List(s.tenants(), s.access) }

func (s *Sandbox) tenants() []Tenant {
	w := s.world()
	return kit.Under(w, func() []Tenant { return slices.Clone(w.Tenants) })
}

func (s *Sandbox) isTenant(name string) bool {
	return slices.ContainsFunc(s.tenants(), func(t Tenant) bool { return t.Name == name })
}

// access has the addresses and the keys of a tenant.
func (s *Sandbox) access(t Tenant) TenantAccess {
	wallet := s.world().TenantWallet(t.Name)
	all := s.services()
	for i := range all {
		all[i].URL = kit.TenantURL(all[i].URL, t.Name)
		if all[i].Key != "" {
			all[i].Key = t.Keys[all[i].Service]
		}
	}
	return TenantAccess{
		Name: t.Name, Services: all, Address: build.PublicKey(wallet).String(), Keypair: keypair(wallet),
	}
}
