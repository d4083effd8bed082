// Package lenient decodes what services send: as encoding/json does if it fits,
// and with the harmless differences undone if it does not. Live services drift
// from their documents; a field that nothing hangs on must not cost a page.
package lenient
