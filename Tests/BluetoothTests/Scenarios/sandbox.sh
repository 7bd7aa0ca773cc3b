#!/usr/bin/env bash
# The tests of the sandbox on this machine's kernel, which is that of Debian and older than most.
set -euo pipefail

echo "kernel: $(uname -r)"
mount -t securityfs securityfs /sys/kernel/security
echo "modules: $(cat /sys/kernel/security/lsm)"
NO_COLOR=1 "$PROGRAMS/mdhostPackageTests.xctest" --testing-library swift-testing \
    --filter '^ConfinementTests\.' --filter '^HostExtensionsTests\.SandboxTests'
