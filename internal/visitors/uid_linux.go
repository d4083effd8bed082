package visitors

import (
	"errors"
	"net"
	"syscall"
)

// peerUID is the user ID of the process that dialled a Unix socket.
func peerUID(c net.Conn) (uid int, err error) {
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return -1, errors.New("visitors: it is no Unix socket")
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return -1, err
	}
	var found *syscall.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		found, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err := errors.Join(err, failed); err != nil {
		return -1, err
	}
	return int(found.Uid), nil
}
